import { expect, test } from 'vitest'
import { renderHeader } from './header.ts'
import { createTheme } from './theme.ts'
import { widthOf } from './width.ts'

const theme = createTheme({ env: { NO_COLOR: '1' }, isTty: true })
const facts = {
  ...{ version: '0.1.0', agent: 'prod-agent', model: 'gpt-x', folder: '~/工作' },
  server: undefined,
}

test('the start says what this is, who works and where', () => {
  expect(renderHeader(facts, { theme, lang: 'en', width: 60 })).toEqual([
    ...[' DataAgent 0.1.0 · local', ' agent  prod-agent', ' model  gpt-x', ' folder ~/工作'],
    ' /help for commands, ? for keys',
  ])
  const remote = { ...facts, model: undefined, server: 'https://data.example' }
  expect(renderHeader(remote, { theme, lang: 'zh', width: 60 })).toEqual([
    ...[' DataAgent 0.1.0 · 远程 https://data.example', ' 智能体 prod-agent', ' 目录   ~/工作'],
    ' /help 查看命令，? 查看按键',
  ])
})

test('it keeps to the width, and takes no escapes from names', () => {
  for (const width of [10, 20, 40]) {
    const evil = { ...facts, agent: `\u001b[2J${'长'.repeat(50)}`, folder: 'a\nb' }
    for (const line of renderHeader(evil, { theme, lang: 'en', width })) {
      expect(widthOf(line)).toBeLessThanOrEqual(width)
      expect(line).not.toMatch(/\p{Cc}/u)
    }
  }
})
