import { isPlainObject } from '@dataagent/schema'
import { texts } from './demo-texts.ts'
import { type DemoCall, type DemoReply, say } from './reply.ts'
import { readFields } from './schema-fields.ts'
import { toPattern } from './to-pattern.ts'
import type { Asked } from './use-tool.ts'

type Rule = (asked: Asked) => DemoReply | undefined

/** What is asked of the agent itself: memory, things to do, files, pages. */
export function useOwnTool(asked: Asked): DemoReply | undefined {
  for (const rule of [
    rememberFact,
    recallFacts,
    forgetFact,
    planTodos,
    writeFile,
    readFile,
    listFiles,
    fetchPage,
  ]) {
    const reply = rule(asked)
    if (reply) return reply
  }
  return undefined
}

const remembering = toPattern('iu')`
  ^\s{0,8}(?:请|麻烦)?(?:你|帮我)?(?:记住|记一下|记下来?|别忘了|不要忘记)
  [:：，,\s]{0,3}([\s\S]+)$
  |^\s{0,8}(?:please\s{1,3})?(?:remember(?!ing)|don['’]?t\s{1,3}forget)(?:\s{1,3}that)?
  [:,\s]{1,3}([\s\S]+)$`
const recalling = toPattern('iu')`
  ^\s{0,8}你?(?:还)?记得
  |^\s{0,8}(?:what\s{1,3})?do\s{1,3}you\s{1,3}(?:still\s{1,3})?remember`
const forgetting = toPattern('iu')`
  ^\s{0,8}(?:请)?(?:忘掉|忘记|忘了)\s{0,2}([\s\S]+)$
  |^\s{0,8}(?:please\s{1,3})?forget\s{1,3}(?:about\s{1,3}|that\s{1,3})?([\s\S]+)$`

const rememberFact: Rule = (asked) => {
  const found = remembering.exec(asked.text)
  const fact = (found?.[1] ?? found?.[2])?.trim()
  if (!fact) return undefined
  return callWithText('remember', fact, asked) ?? say(texts.noMemory[asked.language])
}

const recallFacts: Rule = (asked) =>
  recalling.test(asked.text) ? callWithText('recall', asked.text.trim(), asked) : undefined

const forgetFact: Rule = (asked) => {
  const found = forgetting.exec(asked.text)
  const fact = (found?.[1] ?? found?.[2])?.trim()
  return fact ? callWithText('forget', fact, asked) : undefined
}

/** Calls a tool whose first text is what was said; undefined where it is not given. */
function callWithText(name: string, text: string, { known }: Asked): DemoReply | undefined {
  const tool = known.given.get(name)
  if (!tool) return undefined
  const field = readFields(tool.parameters).find(
    ({ type, values }) => type === 'string' && values.length === 0,
  )
  return calling({ name, arguments: { [field?.name ?? 'text']: text } })
}

const planning = toPattern('iu')`
  ^\s{0,8}(?:待办|todos?|to-?do list|计划|plan)(?:清单|事项|列表)?\s{0,2}[:：]\s{0,4}([\s\S]+)$`

const planTodos: Rule = ({ text, known }) => {
  const tool = known.given.get('write_todos')
  const listed = tool && planning.exec(text)?.[1]
  if (!tool || !listed) return undefined
  const items = listed
    .split(/[\n,，;；、]+/)
    .map((item) => item.replace(/^\s*(?:[-*•]|\d{1,3}[.)、])\s*/, '').trim())
    .filter((item) => item !== '')
  const [list] = readFields(tool.parameters).filter(({ type }) => type === 'array')
  const todos = items.slice(0, 50).map((item, index) => toTodo(item, index, list?.items))
  return calling({ name: 'write_todos', arguments: { [list?.name ?? 'todos']: todos } })
}

/** As the schema of an item asks: its text, the state `pending`, an id. */
function toTodo(content: string, index: number, schema: unknown): unknown {
  const fields = readFields(schema).filter(
    ({ isRequired, name }) => isRequired || name === 'status',
  )
  if (fields.length === 0)
    return isPlainObject(schema) && schema.type === 'string'
      ? content
      : { content, status: 'pending' }
  return Object.fromEntries(
    fields.map(({ name, values, type }) => {
      if (values.length > 0) return [name, values.includes('pending') ? 'pending' : values[0]]
      if (/id$/i.test(name)) return [name, type === 'string' ? `${index + 1}` : index + 1]
      return [name, content]
    }),
  )
}

const writing = toPattern('iu')`
  ^\s{0,8}(?:请|帮我)?(?:把.{0,20})?(?:写入|写到|保存到?|新建文件|创建文件
  |write(?:\s{1,3}to)?|save(?:\s{1,3}to)?|create(?:\s{1,3}the)?(?:\s{1,3}file)?)\s{0,3}
  [\x60"“]?([\w./-]{0,200}[\w-]\.[A-Za-z]\w{0,7})[\x60"”]?\s{0,3}[:：]\s{0,3}([\s\S]+)$`
const reading = toPattern('iu')`
  ^\s{0,8}(?:请|帮我|please\s{1,3})?(?:读取|读一下|读|打开|查看|看看|read|open
  |show(?:\s{1,3}me)?)\s{0,3}(?:文件|(?:the\s{1,3})?file)?\s{0,3}
  [\x60"“]?([\w./-]{0,200}[\w-]\.[A-Za-z]\w{0,7})[\x60"”]?\s{0,3}[。.?？]?$`
const listing = toPattern('iu')`
  ^\s{0,8}(?:请|帮我)?(?:列出|看看|显示)?(?:有哪些|所有|我的)?文件(?:有哪些|列表)?[。？?]?\s{0,4}$
  |^\s{0,8}(?:please\s{1,3})?(?:list|show)\s{1,3}(?:me\s{1,3})?
  (?:all\s{1,3}|my\s{1,3}|the\s{1,3})?files[.?]?\s{0,4}$`

const writeFile: Rule = ({ text, known }) => {
  const [, file, content] = (known.given.has('write_file') && writing.exec(text)) || []
  if (!file) return undefined
  return calling({ name: 'write_file', arguments: { path: file, content } })
}

const readFile: Rule = ({ text, known }) => {
  const [, file] = (known.given.has('read_file') && reading.exec(text)) || []
  return file ? calling({ name: 'read_file', arguments: { path: file } }) : undefined
}

const listFiles: Rule = ({ text, known }) =>
  known.given.has('list') && listing.test(text)
    ? calling({ name: 'list', arguments: {} })
    : undefined

const fetchPage: Rule = ({ text, known }) => {
  const url = /\bhttps?:\/\/[^\s"'<>，。；）)]{1,2000}/i.exec(text)?.[0]
  return url && known.given.has('fetch_url')
    ? calling({ name: 'fetch_url', arguments: { url } })
    : undefined
}

function calling(call: DemoCall): DemoReply {
  return { text: '', calls: [call] }
}
