import type { Text } from '../../words/index.ts'

export const savedAs = (file: string, size: string): Text => ({
  en: `Saved as ${file} (${size}).`,
  zh: `已保存为 ${file}（${size}）。`,
})
export const replaceFile = (file: string): Text => ({
  en: `${file} is there already. Replace it?`,
  zh: `${file} 已存在。要替换吗？`,
})
export const notHere = (file: string): Text => ({
  en: `${file} is not in this folder: name a file below it.`,
  zh: `${file} 不在此文件夹内：请指定其中的文件。`,
})
