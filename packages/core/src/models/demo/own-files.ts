import { filePart, fileWord, quotedFile } from './file-names.ts'
import { calling, type OwnRule } from './own-rule.ts'
import { readFields } from './schema-fields.ts'
import { toPattern } from './to-pattern.ts'
import { unquoted } from './unquoted.ts'
import { callOrAsk } from './use-tool.ts'

const lead = String.raw`^\s{0,8}(?:请|麻烦|帮我|please\s{1,3}){0,3}`
const end = String.raw`\s{0,3}[。.!！?？]?\s{0,4}$`
const writeVerb = String.raw`(?:写入|写到|写进|写|保存到|保存为|保存|存到|新建|创建
  |write(?:\s{1,3}to)?|save(?:\s{1,3}to)?|create(?:\s{1,3}the)?)`

/** `写入 a.txt：…` */
const fileFirst = toPattern('iu')`
  ${lead}(?:把.{0,20})?${writeVerb}\s{0,3}${fileWord}${quotedFile}\s{0,3}
  (?:[，,]?\s{0,3}(?:内容(?:是|为)?|with(?:\s{1,3}the)?(?:\s{1,3}(?:content|text))?\b)\s{0,3}[:：]?
  |[:：])\s{0,3}([\s\S]+)$`
/** `把 … 写入 a.txt` */
const textFirst = toPattern('iu')`
  ${lead}(?:把|将)\s{0,3}([\s\S]+?)\s{0,3}(?:写入|写到|写进|保存到|保存为|存到|存入)(?:到|了)?\s{0,3}
  ${fileWord}${quotedFile}\s{0,3}(?:里面?|中)?${end}`
/** `保存“…”到 a.txt` */
const quotedFirst = toPattern('iu')`
  ${lead}(?:保存|写入?|存)\s{0,3}(“[^”]+”|"[^"]+"|「[^」]+」)\s{0,3}(?:到|进|为|在)\s{0,3}
  ${fileWord}${quotedFile}\s{0,3}(?:里面?|中)?${end}`
const insideFile = toPattern('iu')`
  ${lead}在\s{0,3}${fileWord}${quotedFile}\s{0,3}(?:里面?|中)?\s{0,3}写[入上下]?\s{0,3}[:：]?\s{0,3}
  ([\s\S]+)$`
const englishTextFirst = toPattern('iu')`
  ${lead}(?:write|save|put|store)\s{1,3}([\s\S]+?)\s{1,3}(?:to|into|in|as)\s{1,3}${fileWord}
  ${quotedFile}${end}`
const fileOnly = toPattern('iu')`${lead}${writeVerb}\s{0,3}${fileWord}${quotedFile}${end}`

export const writeFile: OwnRule = (asked) => {
  const tool = asked.known.given.get('write_file')
  const found = tool && readWriting(asked.text)
  if (!found) return undefined
  const { path, content } = found
  if (content !== undefined) return calling({ name: 'write_file', arguments: { path, content } })
  const missing = readFields(tool.parameters).filter(({ name }) => name === 'content')
  return callOrAsk('write_file', { args: { path }, missing }, asked)
}

function readWriting(text: string): { path: string; content?: string } | undefined {
  const [, file, content] = fileFirst.exec(text) ?? insideFile.exec(text) ?? []
  if (file && content) return { path: file, content: unquoted(content) }
  const [, told, into] =
    [textFirst, quotedFirst, englishTextFirst]
      .map((pattern) => pattern.exec(text))
      .find((found) => found) ?? []
  if (told && into) return { path: into, content: unquoted(told) }
  const only = fileOnly.exec(text)?.[1]
  return only ? { path: only } : undefined
}

const reading = [
  toPattern('iu')`
    ${lead}(?:读取|读一下|读|打开|查看|看看|看一下|显示|(?:read|open|cat|show(?:\s{1,3}me)?)
    (?:\s{1,3}the\s{1,3}contents?\s{1,3}of)?\b)\s{0,3}${fileWord}${quotedFile}
    (?:\s{0,3}的?内容)?${end}`,
  toPattern('iu')`
    ${lead}(?:把|将)?\s{0,3}${fileWord}${quotedFile}\s{0,3}
    (?:的内容|里面?有什么|里写了什么|中有什么)(?:是什么|给我看看|给我看|读给我|显示出来|有哪些)?${end}`,
  toPattern('iu')`
    ${lead}what(?:['’]s|\s{1,3}is)\s{1,3}in\s{1,3}${fileWord}${quotedFile}${end}`,
]

export const readFile: OwnRule = ({ text, known }) => {
  const found = known.given.has('read_file') && firstOf(reading, text)
  return found ? calling({ name: 'read_file', arguments: { path: found } }) : undefined
}

const deleting = [
  toPattern('iu')`
    ${lead}(?:删除|删掉|删了|移除|(?:delete|remove)\b)\s{0,3}${fileWord}${quotedFile}
    \s{0,3}(?:文件|这个文件|file)?${end}`,
  toPattern('iu')`
    ${lead}(?:把|将)\s{0,3}${fileWord}[\x60"“]?(${filePart})[\x60"”]?\s{0,3}(?:文件|这个文件)?
    (?:删除|删掉|删了|移除)(?:掉|吧)?${end}`,
]

export const deleteFile: OwnRule = ({ text, known }) => {
  const found = known.given.has('delete_file') && firstOf(deleting, text)
  return found ? calling({ name: 'delete_file', arguments: { path: found } }) : undefined
}

function firstOf(patterns: readonly RegExp[], text: string): string | undefined {
  return patterns.map((pattern) => pattern.exec(text)?.[1]).find((found) => found)
}

const listing = toPattern('iu')`
  ^\s{0,8}(?:请|帮我)?(?:列出|看看|显示)?(?:有哪些|所有|我的)?文件(?:有哪些|列表)?[。？?]?\s{0,4}$
  |^\s{0,8}(?:please\s{1,3})?(?:list|show)\s{1,3}(?:me\s{1,3})?
  (?:all\s{1,3}|my\s{1,3}|the\s{1,3})?files[.?]?\s{0,4}$`

export const listFiles: OwnRule = ({ text, known }) =>
  known.given.has('list') && listing.test(text)
    ? calling({ name: 'list', arguments: {} })
    : undefined
