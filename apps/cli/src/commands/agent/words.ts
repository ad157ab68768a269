import type { Text } from '../../words/index.ts'

export const chooseAgent: Text = { en: 'Talk with which agent?', zh: '与哪个智能体对话？' }
export const inUse: Text = { en: 'in use', zh: '使用中' }
export const onlyAgent = (name: string): Text => ({
  en: `${name} is the only agent. An administrator can set up others.`,
  zh: `${name} 是唯一的智能体。管理员可以添加其他智能体。`,
})
export const noSuchAgent = (id: string): Text => ({
  en: `There is no agent ${id}. /agent lists them.`,
  zh: `没有智能体 ${id}。/agent 列出全部。`,
})
export const talkingWith = (name: string): Text => ({
  en: `From now on you talk with ${name}, in a new session.`,
  zh: `现在与 ${name} 对话，已开始新会话。`,
})

export const modelOf = (agent: string, model: string): Text => ({
  en: `${agent} uses ${model}.`,
  zh: `${agent} 使用 ${model}。`,
})
export const chooseModel = (agent: string): Text => ({
  en: `Which model for the agent ${agent}?`,
  zh: `智能体 ${agent} 使用哪个模型？`,
})
export const isDefault: Text = { en: 'the default', zh: '默认' }
export const defaultChoice: Text = {
  en: 'default (whatever the installation says)',
  zh: '默认（由安装设置决定）',
}
export const onlyAdministrators: Text = {
  en: 'The model belongs to the agent: only administrators change it.',
  zh: '模型属于智能体，只有管理员可以更改。',
}
export const noSuchModel = (name: string): Text => ({
  en: `There is no model ${name}. /model lists them.`,
  zh: `没有模型 ${name}。/model 列出全部。`,
})
export const severalModels = (names: string): Text => ({
  en: `That may be several: ${names}`,
  zh: `可能是多个：${names}`,
})
export const changeForAll = (agent: string, model: string): Text => ({
  en: `Have ${agent} use ${model}, for everybody who uses it?`,
  zh: `让 ${agent} 使用 ${model}？对使用它的所有人生效。`,
})
export const modelChanged = (agent: string, model: string): Text => ({
  en: `${agent} uses ${model} from the next turn on.`,
  zh: `${agent} 从下一轮起使用 ${model}。`,
})
export const onlyModel: Text = {
  en: 'It is the only one. A key such as OPENAI_API_KEY or ANTHROPIC_API_KEY adds others.',
  zh: '这是唯一的模型。设置 OPENAI_API_KEY 或 ANTHROPIC_API_KEY 等密钥可添加其他模型。',
}

export const noFacts: Text = {
  en: 'It remembers nothing of you. Say “remember …” to have it keep something.',
  zh: '没有记住任何内容。对它说“记住……”即可保存。',
}
export const factsOf = (agent: string): Text => ({
  en: `What ${agent} remembers of you`,
  zh: `${agent} 记住的内容`,
})
export const factBy: Readonly<Record<'user' | 'assistant', Text>> = {
  user: { en: 'you asked for it', zh: '您要求' },
  assistant: { en: 'it thought so', zh: '自行记住' },
}
export const damagedFacts = (count: number): Text => ({
  en: `${count} could not be read.`,
  zh: `${count} 条无法读取。`,
})
export const noSuchFact = (typed: string): Text => ({
  en: `There is no fact ${typed}. /memory show gives their numbers.`,
  zh: `没有第 ${typed} 条。/memory show 显示编号。`,
})
export const forgotten = (text: string): Text => ({
  en: `Forgotten: ${text}`,
  zh: `已忘记：${text}`,
})
export const clearAll = (count: number, agent: string): Text => ({
  en: `Have ${agent} forget all ${count} facts about you?`,
  zh: `让 ${agent} 忘记全部 ${count} 条内容？`,
})
export const allForgotten: Text = { en: 'It remembers nothing of you now.', zh: '已全部清除。' }

export const noFiles: Text = {
  en: 'The agent has no files yet. Ask it to write one.',
  zh: '智能体还没有文件。可以让它写一个。',
}
export const emptyFolder = (path: string): Text => ({
  en: `${path} is empty.`,
  zh: `${path} 是空的。`,
})
export const noSuchFile = (path: string): Text => ({
  en: `There is no file ${path}. /files lists what is there.`,
  zh: `没有文件 ${path}。/files 列出现有文件。`,
})
export const moreFiles: Text = {
  en: 'There are more: name a folder.',
  zh: '还有更多，请指定文件夹。',
}
export const notText = (path: string, size: string): Text => ({
  en: `${path} is not text (${size}).`,
  zh: `${path} 不是文本（${size}）。`,
})
export const moreLines = (count: number): Text => ({
  en: `… ${count} more lines`,
  zh: `… 还有 ${count} 行`,
})
export const moreOfIt: Text = { en: '… there is more of it', zh: '… 内容未完' }
