import { defineWords } from '../words/words.ts'

/** How a call of a tool ended. */
export const outcomeWords = defineWords({
  en: {
    ok: 'Done',
    error: 'The tool reported an error',
    timeout: 'It took too long',
    denied: 'Not allowed',
    invalid: 'The arguments do not fit',
    limited: 'Too many calls',
    rejected: 'Rejected',
    unavailable: 'The server is not available',
    cancelled: 'Cancelled',
    unknown_outcome: 'It is not known whether it ran',
    interrupted: 'Interrupted',
  },
  zh: {
    ok: '完成',
    error: '工具返回错误',
    timeout: '超时',
    denied: '不允许',
    invalid: '参数不符合要求',
    limited: '调用过于频繁',
    rejected: '已拒绝',
    unavailable: '服务不可用',
    cancelled: '已取消',
    unknown_outcome: '不确定是否已执行',
    interrupted: '已中断',
  },
})
