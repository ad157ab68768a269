import { defineWords } from '../words/words.ts'

export const markdownWords = defineWords({
  en: {
    image: 'image',
    openImage: (name: string, host: string) => `Open ${name} (${host})`,
    code: 'Code',
  },
  zh: {
    image: '图片',
    openImage: (name: string, host: string) => `打开 ${name}（${host}）`,
    code: '代码',
  },
})
