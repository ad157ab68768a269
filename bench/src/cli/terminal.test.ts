import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { growingAnswer } from './answer.ts'
import { bundleProgram } from './bundle.ts'
import { openTerminal } from './terminal.ts'

let dir = ''

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bench-cli-'))
  await writeFile(join(dir, 'package.json'), '{"type":"module"}')
})
afterAll(() => rm(dir, { recursive: true, force: true }))

const open = (...command: string[]) =>
  openTerminal({ command: [process.execPath, ...command], cwd: dir, env: { HOME: dir } })

test.each(['pi-tui-main', 'ink-main'])('%s draws a prompt, and then an answer', async (name) => {
  const program = await bundleProgram(name, dir)
  await using prompt = open(program)
  await prompt.until(/─/)
  const report = join(dir, `${name}.json`)
  const setting = { history: 50, updates: 11, paceMs: 10, report }
  await using answer = open(program, JSON.stringify(setting))
  await answer.ended
  expect(JSON.parse(await readFile(report, 'utf8')).cpu).toBeGreaterThan(0)
  expect(answer.output()).toContain('line 49 of what was said before')
  expect(answer.output()).toContain('25,310')
})

test.each([
  ['bare Node', ['node-stream-main']],
  ['ours', ['ours-main', '../../../apps/cli/src']],
])('%s draws an answer below a history that is printed before', async (_, [name = '', source]) => {
  const report = join(dir, `${name}.json`)
  const setting = JSON.stringify({ history: 5_000, updates: 11, paceMs: 10, report })
  const command = source
    ? ['--conditions=dataagent-source', join(import.meta.dirname, `${name}.ts`), toPath(source)]
    : [await bundleProgram(name, dir)]
  await using answer = open(...command, setting)
  await answer.ended
  expect(JSON.parse(await readFile(report, 'utf8')).cpu).toBeGreaterThan(0)
  expect(answer.output()).toMatch(/line 4999 of what was said before[\s\S]*25,310/)
})

const toPath = (source: string) => join(import.meta.dirname, source)

test('a program that ends before it is ready is an error with its last words', async () => {
  await using terminal = open('-e', "console.log('cannot start')")
  await expect(terminal.until(/never/)).rejects.toThrow('cannot start')
})

test('the CPU is that of the program on the terminal', async () => {
  const burn = "const end = Date.now() + 300; while (Date.now() < end); console.log('burnt')"
  await using terminal = open('-e', `${burn}; setInterval(() => {}, 1000)`)
  await terminal.until(/burnt/)
  expect(await terminal.cpu()).toBeGreaterThan(20_000)
})

test('an answer only ever grows', () => {
  const answers = [...growingAnswer(20)]
  expect(answers).toHaveLength(20)
  for (const [at, answer] of answers.entries()) expect(answers[at + 1] ?? answer).toContain(answer)
})
