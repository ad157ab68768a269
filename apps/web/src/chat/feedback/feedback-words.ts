import { defineWords } from '../../words/words.ts'

export const feedbackWords = defineWords({
  en: {
    up: 'Good answer',
    down: 'Bad answer',
    why: { up: 'What was good about it? (optional)', down: 'What was wrong with it? (optional)' },
    whoReads: 'Your administrators can read this.',
    send: 'Send feedback',
    later: 'No, thanks',
  },
  zh: {
    up: '回答有帮助',
    down: '回答没有帮助',
    why: { up: '哪里好？（选填）', down: '哪里有问题？（选填）' },
    whoReads: '管理员可以看到这些内容。',
    send: '提交反馈',
    later: '不用了',
  },
})
