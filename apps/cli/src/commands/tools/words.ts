import type { PolicyReason, ToolExplanation } from '@dataagent/schema'
import type { Text } from '../../words/index.ts'

export const noTools: Text = {
  en: 'There are no tools yet. /mcp add connects a server.',
  zh: '还没有工具。/mcp add 可连接服务器。',
}
export const noToolFits = (text: string): Text => ({
  en: `No tool fits “${text}”. /tools lists all of them.`,
  zh: `没有工具符合“${text}”。/tools 列出全部工具。`,
})
export const ownTools: Text = { en: 'built in', zh: '内置' }
export const toolCount = (count: number, asking: number): Text => ({
  en: `${count} ${count === 1 ? 'tool' : 'tools'}, ${asking} of them ask first.`,
  zh: `共 ${count} 个工具，其中 ${asking} 个需先询问。`,
})
export const moreTools = (count: number): Text => ({
  en: `${count} more: /tools TEXT finds them.`,
  zh: `还有 ${count} 个：用 /tools 文字 查找。`,
})
export const verdictNames: Readonly<Record<'allow' | 'ask' | 'deny', Text>> = {
  allow: { en: 'runs at once', zh: '直接运行' },
  ask: { en: 'asks first', zh: '先询问' },
  deny: { en: 'is denied', zh: '被拒绝' },
}
export const parametersAre: Text = { en: 'takes', zh: '参数' }
export const isRequired: Text = { en: 'required', zh: '必填' }
export const promptTokens = (tokens: string): Text => ({
  en: `about ${tokens} tokens of the prompt`,
  zh: `约占提示 ${tokens} 个token`,
})
export const findingsAre: Text = { en: 'look at its definition', zh: '请检查其定义' }

export const chooseTool: Text = { en: 'Explain which tool?', zh: '解释哪个工具？' }
export const noSuchTool = (name: string): Text => ({
  en: `There is no tool ${name} that you may see. /tools lists them.`,
  zh: `没有您可见的工具 ${name}。/tools 列出工具。`,
})
export const verdictOf = (tool: string, verdict: keyof typeof verdictNames): Text => ({
  en: `${tool} ${verdictNames[verdict].en}`,
  zh: `${tool} ${verdictNames[verdict].zh}`,
})
export const oncePerSession: Text = {
  en: 'asked once per session',
  zh: '每个会话询问一次',
}
export const decidedBy: Text = { en: 'decides', zh: '决定' }

export const modeIs: Readonly<Record<'ask' | 'auto', Text>> = {
  ask: {
    en: 'Tools are asked about as the policy says.',
    zh: '按策略询问工具。',
  },
  auto: {
    en: 'What would be asked is approved in this session; denials hold. /approve ask ends that.',
    zh: '本会话中需询问的操作自动批准，拒绝规则仍有效。/approve ask 可恢复。',
  },
}
export const chooseMode: Text = { en: 'Before a tool runs that asks …', zh: '需询问的工具运行前…' }
export const modeNames: Readonly<Record<'ask' | 'auto', Text>> = {
  ask: { en: 'ask me', zh: '询问我' },
  auto: { en: 'approve by itself, in this session', zh: '本会话自动批准' },
}

const defaults: Readonly<Record<string, Text>> = {
  own_tool: { en: 'this built-in tool runs', zh: '该内置工具可运行' },
  own_tool_asks: {
    en: 'a built-in tool that acts outside of your own space asks',
    zh: '内置工具在您的空间之外操作时需询问',
  },
  own_tool_by_arguments: {
    en: 'this built-in tool asks or not by its arguments',
    zh: '该内置工具视参数决定是否询问',
  },
  administrators_server: {
    en: 'tools of a server that an administrator registered run',
    zh: '管理员注册的服务器，其工具可运行',
  },
  destructive_annotation: {
    en: 'its server says that it is destructive',
    zh: '服务器声明该工具具有破坏性',
  },
  users_server: {
    en: 'tools of a server that a user added ask, once per session',
    zh: '用户添加的服务器，其工具每个会话询问一次',
  },
  after_untrusted_output: {
    en: 'untrusted output was read before in the same turn',
    zh: '同一轮中读取过不受信任的输出',
  },
}

function defaultText(why: string): Text {
  const { en, zh } = defaults[why] ?? { en: why, zh: why }
  return { en: `by default: ${en}`, zh: `默认：${zh}` }
}

/** What decided, in words. */
export function reasonText(by: PolicyReason): Text {
  switch (by.kind) {
    case 'not_bound':
      return {
        en: `it is not on the list of the ${by.subject.kind}`,
        zh: `不在 ${by.subject.kind} 的允许列表中`,
      }
    case 'not_visible':
      return { en: 'its server is not yours to see', zh: '其服务器对您不可见' }
    case 'role':
      return { en: `the role ${by.role} may not`, zh: `角色 ${by.role} 无权使用` }
    case 'feature_off':
      return { en: `the feature ${by.feature} is off`, zh: `功能 ${by.feature} 已关闭` }
    case 'switched_off':
      return { en: 'its server is off in this session', zh: '其服务器在此会话中已关闭' }
    case 'rule':
      return {
        en: `rule ${by.rule_id} (${by.tier}) says ${by.effect}`,
        zh: `规则 ${by.rule_id}（${by.tier}）：${by.effect}`,
      }
    case 'server_setting':
      return { en: `its server is set to ${by.effect}`, zh: `其服务器设置为 ${by.effect}` }
    case 'default':
      return defaultText(by.why)
    case 'unconfirmed':
      return { en: 'the policy could not be confirmed', zh: '策略暂无法确认' }
  }
}

type Step = ToolExplanation['steps'][number]

/** The platform says it in English; for others by what was looked at. */
export function stepText({ what, text }: Step): Text {
  return { en: text, zh: toChinese(what) ?? text }
}

function toChinese(what: Step['what']): string | undefined {
  switch (what.kind) {
    case 'refused_at_once':
      return '直接拒绝'
    case 'server':
      return what.visible ? '服务器对您可见' : '服务器对您不可见'
    case 'features_on':
      return '所需功能均已开启'
    case 'feature_off':
      return `功能 ${what.feature} 已关闭`
    case 'brought':
      return '由智能体自带'
    case 'switched_off':
      return '服务器在此会话中已关闭'
    case 'list':
      return what.holds
        ? `${what.subject.kind} 的允许列表包含它`
        : `${what.subject.kind} 的允许列表不包含它`
    case 'rule':
      return `规则 ${what.rule_id}（${what.tier}）：${what.effect}`
    case 'server_setting':
      return `服务器设置：${what.effect}`
    case 'default':
      return defaultText(what.why).zh
    case 'untrusted_output':
      return what.outside ? '读取过不受信任的输出' : '未受不受信任输出的影响'
    case 'arguments':
      return what.asks ? '工具按参数要求询问' : '工具按参数无需询问'
  }
}
