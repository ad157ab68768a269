import { defineWords } from '../../words/words.ts'

export const citationWords = defineWords({
  en: {
    chip: (ref: string) => `Query ${ref}: show its result`,
    dangling: (ref: string) => `${ref}: no such query was run in this chat`,
    uncovered: 'No query of this chat gave this number, or not the one cited',
    more: (count: string) => `… ${count} rows in all`,
    hint: 'Click to see the whole result',
    noRows: 'It found no rows.',
    unknown: 'Its query cannot be loaded any more.',
    loading: 'Loading…',
  },
  zh: {
    chip: (ref: string) => `查询 ${ref}：查看结果`,
    dangling: (ref: string) => `${ref}：此对话没有执行过这个查询`,
    uncovered: '这个数字没有查询依据，或不在所引用的查询中',
    more: (count: string) => `…… 共 ${count} 行`,
    hint: '点击查看完整结果',
    noRows: '没有符合条件的数据。',
    unknown: '无法再加载这个查询。',
    loading: '加载中…',
  },
})
