import { describe, expect, test } from 'vitest'
import { completeCommands, findCommand } from './registry.ts'
import { commands } from './table.ts'
import { createAwayApp } from './test-app.ts'

const { app } = createAwayApp({ lang: 'zh' })
const { signal } = new AbortController()
const complete = (kind: 'command' | 'argument', text: string, before = '') =>
  completeCommands({ kind, text, before }, app, signal)

describe('a command', () => {
  test.each([
    ['/help', 'help', ''],
    ['/clear', 'new', ''],
    ['/EXPORT notes.md json', 'export', 'notes.md json'],
    ['/sess rain in May', 'sessions', 'rain in May'],
    ['  /q ', 'quit', ''],
    ['/?', 'help', ''],
  ])('%s is %s', (line, name, args) => {
    expect(findCommand(line)).toMatchObject({ kind: 'command', command: { name }, args })
  })

  test('whose beginning others have too is asked for', () => {
    expect(findCommand('/co')).toMatchObject({
      ...{ kind: 'ambiguous', names: ['compact', 'copy', 'cost', 'context'] },
    })
  })

  test.each([
    ['/sesions', 'sessions'],
    ['/modle', 'model'],
    ['/hlep', 'help'],
    ['/xyzzy', undefined],
    ['/', undefined],
  ])('that is not one, as %s, is near to %s', (line, nearest) => {
    expect(findCommand(line)).toMatchObject({ kind: 'unknown', nearest })
  })
})

describe('the table', () => {
  test('has every command once, with both languages, short enough for help', () => {
    const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])
    expect(new Set(names).size).toBe(names.length)
    for (const { about } of commands) {
      expect(about.en.length).toBeLessThan(42)
      expect(about.zh).toMatch(/\p{Script=Han}/u)
    }
  })

  test('says what may run while a turn is under way', () => {
    const waiting = commands.filter(({ whileRunning }) => !whileRunning).map(({ name }) => name)
    expect(waiting).toEqual(['new', 'sessions', 'resume', 'compact', 'agent', 'model'])
  })
})

describe('completion', () => {
  test('is of names, those that begin with it first, in the language', async () => {
    const found = await complete('command', 'co')
    expect(found.map(({ value }) => value)).toEqual([...['compact', 'copy', 'cost', 'context']])
    expect(found[0]?.about).toContain('总结')
  })

  test('is of arguments that the command knows', async () => {
    const found = await complete('argument', 'a', '/approve')
    expect(found.map(({ value }) => value)).toEqual(['ask', 'auto'])
    expect(await complete('argument', '', '/quit')).toEqual([])
    expect(await complete('argument', '', '/nothing')).toEqual([])
  })

  test('is empty where the platform is away', async () => {
    expect(await complete('argument', 'd', '/agent')).toEqual([])
  })
})

describe('a line', () => {
  test.each([
    ['/sql SELECT 1', '[warn] Stopped.'],
    ['/sql q1', '[bad] It did not work: The platform does not start.'],
    ['/mcp test files', '[warn] Stopped.'],
    ['/mcp enable files', '[bad] It did not work: The platform does not start.'],
  ])('%s, which may wait for others, is %s where it was stopped', async (line, told) => {
    const { app, run } = createAwayApp()
    Object.assign(app, {
      stoppable: (work: (signal: AbortSignal) => Promise<void>) => work(AbortSignal.abort()),
    })
    expect(await run(line)).toBe(told)
  })

  test('that is no command is told as one line', async () => {
    const { run } = createAwayApp()
    expect(await run('/modle')).toBe('[warn] There is no command /modle. Did you mean /model?')
  })

  test.each([
    ...['/sessions', '/agent', '/model', '/tools', '/memory', '/cost', '/files', '/policy'],
  ])('such as %s is told as one line where the platform is away', async (line) => {
    const { run } = createAwayApp()
    expect(await run(line)).toBe('[bad] It did not work: The platform does not start.')
  })
})
