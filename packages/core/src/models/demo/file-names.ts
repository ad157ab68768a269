import { toPattern } from './to-pattern.ts'

/** A file's path as a part of patterns with `u`: letters of any script, and an ending. */
export const filePart = String.raw`[\p{L}\p{N}_./+-]{0,200}[\p{L}\p{N}_-]\.[A-Za-z]\w{0,7}(?!\w)`

/** The same between quotes or not: one group, which is the path. */
export const quotedFile = String.raw`[\x60"“「']?(${filePart})[\x60"”」']?`

/** The word before a file's name, not the beginning of a name such as `文件/a.txt`. */
export const fileWord = String.raw`(?:文件(?![/.夹名])|(?:the\s{1,3})?file\b)?\s{0,3}`

const verbs = toPattern('u')`
  ^(?:请|麻烦|帮我|把|将|在|读取|读一下|读|打开|查看|看看|看一下|写入|写到|保存到|保存为|保存
  |新建|创建|删除|删掉|文件(?![/.夹名]))+`

/** The name without the words that Chinese writes right before it. */
export function toFileName(found: string): string {
  const name = found.replace(verbs, '')
  return /^\.?[^./]/.test(name) && !/^\.\w{1,8}$/.test(name) ? name : found
}
