import type { Bilingual } from './language.ts'

/** By these words a later answer knows that the notice was given. */
export const noticeMarks = ['演示模型', 'demo model'] as const

export const notice: Bilingual = {
  zh:
    '（我是内置的演示模型，只按规则工作，不需要密钥。要使用真正的模型，请设置 OPENAI_API_KEY 或 ' +
    'ANTHROPIC_API_KEY，并用 DATAAGENT_MODEL 指定 provider:model，然后重新启动；也可由管理员添加模型供应商。）',
  en:
    '(I am the built-in demo model: I work by rules and need no key. To use a real model set ' +
    'OPENAI_API_KEY or ANTHROPIC_API_KEY, name it in DATAAGENT_MODEL as provider:model, and start ' +
    'again; or let an administrator add a model provider.)',
}

export const texts = {
  hello: { zh: '你好！', en: 'Hello!' },
  can: { zh: '我可以用这些工具帮你：', en: 'I can help you with these tools:' },
  canNothing: {
    zh: '这条消息没有对应的工具。请说出工具的名字，或者与它有关的词。',
    en: 'There is no tool for this message. Name one, or use a word that belongs to it.',
  },
  canSearch: {
    zh: '连接的服务器上还有更多工具：说出要做的事，我会去找。',
    en: 'Connected servers have more tools: say what you need and I look for one.',
  },
  howTo: {
    zh: '例如：“用 工具名 工具 …”，参数可以写成 名称=值。',
    en: 'For example: "use the NAME tool …", with arguments written as name=value.',
  },
  lost: {
    zh: '作为演示模型，我不能自由回答问题，只能按要求调用工具。',
    en: 'As a demo model I cannot answer freely; I only call tools as I am asked to.',
  },
  which: { zh: '你想用哪一个工具？', en: 'Which of these tools do you mean?' },
  dropped: { zh: '好的，不做了。', en: 'All right, I leave it.' },
  done: { zh: '完成。', en: 'Done.' },
  empty: { zh: '（没有内容）', en: '(nothing)' },
  remembered: { zh: '好的，我记住了。', en: 'I will remember that.' },
  noMemory: {
    zh: '我没有可用的记忆工具，只能在这次对话里记得。',
    en: 'I have no memory tool: I know it in this conversation only.',
  },
  forgotten: { zh: '好的，我忘掉了。', en: 'I have forgotten it.' },
  facts: { zh: '我记得：', en: 'I remember:' },
  noFacts: { zh: '我没有记住这样的事。', en: 'I remember nothing like that.' },
  forgetWhich: {
    zh: '要忘掉哪一条？请说“忘记”和它的编号：',
    en: 'Which of these? Say "forget" and its id:',
  },
  planned: { zh: '待办清单已更新：', en: 'The list of things to do:' },
  enough: {
    zh: '我已经试了好几次，先停下来。请换一种说法。',
    en: 'I have tried several times and stop here. Please put it another way.',
  },
} satisfies Record<string, Bilingual>

/** What is said of a call that gave no result, by the code of its error. */
export const faultTexts: Readonly<Record<string, Bilingual>> = {
  timeout: {
    zh: '工具没有在规定时间内回应（超时）。可以稍后再试，或者我们先做别的。',
    en: 'The tool did not answer in time (timeout). Try again later, or let us go on without it.',
  },
  unavailable: {
    zh: '这个工具所在的服务器现在连接不上。可以稍后再试。',
    en: "The tool's server cannot be reached now. Please try again later.",
  },
  tool_not_allowed: {
    zh: '没有使用这个工具的权限。',
    en: 'This tool is not allowed here.',
  },
  rejected: {
    zh: '这次调用没有得到批准，所以没有执行。',
    en: 'The call was not approved, so it did not run.',
  },
  rate_limited: { zh: '调用太频繁了，请稍后再试。', en: 'Too many calls: please try again later.' },
  unknown_outcome: {
    zh: '连接在得到结果之前断开了：这次调用可能已经生效，请先检查再重试。',
    en: 'The connection broke before the result came: the call may have taken effect. Please look before it is repeated.',
  },
  cancelled: { zh: '调用被取消了。', en: 'The call was cancelled.' },
  not_found: { zh: '没有找到。', en: 'It was not found.' },
}

export const inWords = {
  using: (tool: string): Bilingual => ({
    zh: `我用 \`${tool}\` 处理。`,
    en: `I use \`${tool}\`.`,
  }),
  searching: { zh: '我先找一下合适的工具。', en: 'I look for a tool that fits.' },
  result: (tool: string): Bilingual => ({
    zh: `\`${tool}\` 的结果：`,
    en: `Result of \`${tool}\`:`,
  }),
  failed: (tool: string, message: string): Bilingual => ({
    zh: `\`${tool}\` 失败：${message}`,
    en: `\`${tool}\` failed: ${message}`,
  }),
  noTool: (tool: string): Bilingual => ({
    zh: `没有名为 \`${tool}\` 的工具。`,
    en: `There is no tool called \`${tool}\`.`,
  }),
  noFile: (path: string): Bilingual => ({
    zh: `工作区里没有 \`${path}\`。说“列出所有文件”可以看到有哪些文件，说“写入 ${path}：内容”可以新建它。`,
    en:
      `There is no \`${path}\` in the workspace. Say "list all files" to see what there is, or ` +
      `"write to ${path}: …" to make it.`,
  }),
  moreTools: (count: number): Bilingual => ({
    zh: `- ……还有 ${count} 个工具`,
    en: `- … and ${count} more tools`,
  }),
  queryGave: (ref: string, question: string): Bilingual => ({
    zh: `${question === '' ? '查询结果' : `“${question}”的查询结果`} [${ref}]：`,
    en: `${question === '' ? 'What the query gave' : `“${question}”, from the query`} [${ref}]:`,
  }),
  queryEmpty: (ref: string): Bilingual => ({
    zh: `查询没有返回任何行 [${ref}]。`,
    en: `The query gave no rows [${ref}].`,
  }),
  more: (count: number): Bilingual => ({ zh: `……还有 ${count} 条`, en: `… and ${count} more` }),
}
