import type { Text } from '../../words/index.ts'

export const helpEnd: Text = {
  en: '/help NAME tells more on a command, /keys what keys do.',
  zh: '/help 命令名 查看详情，/keys 查看按键。',
}

export const aliasesAre = (aliases: readonly string[]): Text => {
  const list = aliases.map((one) => `/${one}`).join(' ')
  return { en: `Also: ${list}`, zh: `别名：${list}` }
}

export const waitsForTurn: Text = {
  en: 'Typed while the agent works, it waits for the end of the turn.',
  zh: '智能体工作时输入，会等到本轮结束后执行。',
}
