import { defineWords } from '../../words/words.ts'

export const uploadWords = defineWords({
  en: {
    title: 'Uploads',
    progress: (done: number, all: number) => `${done} of ${all} uploaded`,
    states: {
      waiting: 'Waits',
      sending: 'Uploading…',
      done: 'Uploaded',
      failed: 'Not uploaded',
      taken: 'Not uploaded',
    },
    taken: 'A file of this name is there already. If it is replaced, what it holds now is lost.',
    again: 'Try again',
    clear: 'Clear',
    replaceTitle: (n: number) => (n === 1 ? 'Replace 1 file?' : `Replace ${n} files?`),
    replaceAbout: 'Files of these names are there already. What they hold now is lost.',
    replace: 'Replace',
    quota: 'There is not enough room in your workspace.',
  },
  zh: {
    title: '上传',
    progress: (done: number, all: number) => `已上传 ${done} / ${all}`,
    states: {
      waiting: '等待中',
      sending: '上传中…',
      done: '已上传',
      failed: '未上传',
      taken: '未上传',
    },
    taken: '已有同名文件，替换后原内容将丢失。',
    again: '重试',
    clear: '清除',
    replaceTitle: (n: number) => `替换 ${n} 个文件？`,
    replaceAbout: '已有同名文件，替换后原内容将丢失。',
    replace: '替换',
    quota: '工作区剩余空间不足。',
  },
})
