import { fileWord, quotedFile } from './file-names.ts'
import { calling, type OwnRule } from './own-rule.ts'
import { toPattern } from './to-pattern.ts'
import { unquoted } from './unquoted.ts'

const lead = String.raw`^\s{0,8}(?:请|麻烦|帮我|please\s{1,3}){0,3}`
const end = String.raw`\s{0,3}[。.!！]?\s{0,4}$`
const passage = String.raw`([^\n]{1,500}?)`
const into = String.raw`\s{0,3}(?:改成|改为|替换成|替换为|换成)\s{0,3}`

/** Each with the groups `path`, `before` and `after`. */
const editing = [
  toPattern('iu')`
    ${lead}(?:把|将|在)\s{0,3}${fileWord}(?<path>${quotedFile})\s{0,3}(?:里面?|中)?的?\s{0,3}
    (?:把|将)?\s{0,3}(?<before>${passage})${into}(?<after>${passage})${end}`,
  toPattern('iu')`
    ${lead}(?:replace|change)\s{1,3}(?<before>${passage})\s{1,3}(?:with|to|by)\s{1,3}
    (?<after>${passage})\s{1,3}in\s{1,3}${fileWord}(?<path>${quotedFile})${end}`,
  toPattern('iu')`
    ${lead}in\s{1,3}${fileWord}(?<path>${quotedFile}),?\s{1,3}(?:replace|change)\s{1,3}
    (?<before>${passage})\s{1,3}(?:with|to|by)\s{1,3}(?<after>${passage})${end}`,
]

export const editFile: OwnRule = ({ text, known }) => {
  const found = known.given.has('edit_file') && groupsOf(editing, text)
  if (!found) return undefined
  const { path = '', before = '', after = '' } = found
  return calling({
    name: 'edit_file',
    arguments: {
      ...{ path: unquoted(path), old_string: unquoted(before), new_string: unquoted(after) },
    },
  })
}

const places = String.raw`(?:(?:the\s{1,3}|my\s{1,3}|all\s{1,3}){0,2}files|(?<path>${quotedFile}))`
const searchVerb = '(?:搜索|搜一下|搜|查找|找一下|找)'

/** Each with the group `wanted`, and `path` where one file is meant. */
const searching = [
  toPattern('iu')`
    ${lead}(?:在|从)?\s{0,3}(?:(?:所有|我的)?文件|(?<path>${quotedFile}))\s{0,3}(?:内容)?(?:里面?|中)\s{0,3}的?
    ${searchVerb}\s{0,3}[:：]?\s{0,3}(?<wanted>${passage})${end}`,
  toPattern('iu')`
    ${lead}${searchVerb}\s{0,3}(?:所有|我的)?文件(?:内容)?(?:里面?|中)的?\s{0,3}[:：]?\s{0,3}
    (?<wanted>${passage})${end}`,
  toPattern('iu')`
    ${lead}(?:search|grep|look)\s{1,3}(?:in\s{1,3}|through\s{1,3})?${places}\s{1,3}for\s{1,3}
    (?<wanted>${passage})${end}`,
  toPattern('iu')`
    ${lead}(?:search|grep|find|look)\s{1,3}(?:for\s{1,3})?(?<wanted>${passage})\s{1,3}in\s{1,3}
    ${places}${end}`,
]

export const searchFiles: OwnRule = ({ text, known }) => {
  const found = known.given.has('grep') ? groupsOf(searching, text) : undefined
  if (!found?.wanted) return undefined
  const path = found.path === undefined ? {} : { path: unquoted(found.path) }
  return calling({ name: 'grep', arguments: { pattern: unquoted(found.wanted), ...path } })
}

function groupsOf(patterns: readonly RegExp[], text: string) {
  return patterns.map((pattern) => pattern.exec(text)?.groups).find((groups) => groups)
}
