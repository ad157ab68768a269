import { describe, expect, test } from 'vitest'
import { createAwayApp, widestOf } from '../test-app.ts'
import { runHelp } from './help.ts'

describe('help', () => {
  test.each(['en', 'zh'] as const)('lists everything in %s within 60 columns', async (lang) => {
    const { run } = createAwayApp({ lang })
    const help = await run('/help')
    for (const name of ['new', 'sessions', 'memory', 'policy', 'compact', 'doctor', 'quit']) {
      expect(help).toContain(`/${name}`)
    }
    expect(widestOf(help)).toBeLessThanOrEqual(60)
    expect(widestOf(await run('/keys'))).toBeLessThanOrEqual(60)
  })

  test('leaves room for what a command is, however much it takes', async () => {
    const { app } = createAwayApp()
    const lines: string[] = []
    const usage = '[list|add|test|login|enable|disable|reload|import]'
    const about = { en: 'Servers', zh: '服务器' }
    const long = { name: 'mcp', usage, about, whileRunning: true, run: async () => {} }
    const shown = { ...app, say: (text: string) => void lines.push(text) }
    await runHelp('', shown, [long])
    expect(lines[0]).toMatch(/^ {2}\/mcp \[list\|add\S+… {2}Servers$/m)
    expect(widestOf(lines[0] ?? '')).toBeLessThanOrEqual(60)
    await runHelp('mcp', shown, [long])
    expect(lines[1]).toContain(usage)
  })

  test('has a page for each command', async () => {
    const { run } = createAwayApp()
    expect(await run('/help clear')).toMatch(/^\/new\nBegin a new session\n.*\nAlso: \/clear\n/)
    expect(await run('/help co')).toContain('/co may be: /compact')
    expect(await run('/help comapct')).toContain('Did you mean /compact?')
  })
})
