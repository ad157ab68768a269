import { defineWords } from '../words/words.ts'

export const resultWords = defineWords({
  en: {
    result: 'Result',
    about: 'About',
    table: 'Table',
    json: 'JSON',
    filter: 'Filter rows',
    shown: (shown: string, all: string) => `${shown} of ${all} rows`,
    sortBy: (column: string) => `Sort by ${column}`,
    copyTable: 'Copy table',
    csv: 'CSV',
    empty: 'Nothing was returned.',
    image: 'Image from the tool',
    resource: 'Resource',
    file: 'File',
    notShown: (name: string, type: string, size: string) => `${name} (${type}, ${size}): not shown`,
    save: 'Save',
  },
  zh: {
    result: '结果',
    about: '说明',
    table: '表格',
    json: 'JSON',
    filter: '筛选行',
    shown: (shown: string, all: string) => `${shown} / ${all} 行`,
    sortBy: (column: string) => `按 ${column} 排序`,
    copyTable: '复制表格',
    csv: 'CSV',
    empty: '没有返回内容。',
    image: '工具返回的图片',
    resource: '资源',
    file: '文件',
    notShown: (name: string, type: string, size: string) =>
      `${name}（${type}，${size}）：不在页面中显示`,
    save: '保存',
  },
})
