import { defineWords } from '../../words/words.ts'

export const previewWords = defineWords({
  en: {
    tooLarge: (size: string, max: string) =>
      `This file has ${size}; up to ${max} are shown here. Download it to look at it.`,
    none: 'This kind of file cannot be shown here. Download it to look at it.',
    binary: 'This file holds no text. Download it to look at it.',
    empty: 'This file is empty.',
    badJson: 'This is not valid JSON; it is shown as text.',
    image: (name: string) => `Image ${name}`,
    download: 'Download',
    close: 'Close',
    facts: (size: string, time: string) => `${size}, changed ${time}`,
  },
  zh: {
    tooLarge: (size: string, max: string) =>
      `文件大小为 ${size}，这里最多显示 ${max}。请下载后查看。`,
    none: '这种文件无法在这里显示，请下载后查看。',
    binary: '该文件不是文本，请下载后查看。',
    empty: '该文件是空的。',
    badJson: '不是有效的 JSON，按文本显示。',
    image: (name: string) => `图片 ${name}`,
    download: '下载',
    close: '关闭',
    facts: (size: string, time: string) => `${size}，修改于 ${time}`,
  },
})
