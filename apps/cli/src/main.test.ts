import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { launcher, runProgram } from './testing/test-program.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const dist = join(import.meta.dirname, '../dist')

test('--version and --help print to standard output, also from the sources', async () => {
  const args = ['--conditions=dataagent-source', join(import.meta.dirname, 'main.ts')]
  const [bundled, fromSource, help] = await Promise.all([
    runProgram(['--version']),
    run(process.execPath, [...args, '--version']),
    runProgram(['--lang', 'zh', 'help', 'sessions']),
  ])
  expect(bundled).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' })
  expect(fromSource.stdout).toBe(bundled.stdout)
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('查看和管理会话') })
})

test('what is wrong is one line, in the language of the machine, and the exit code 2', async () => {
  const [english, chinese, topic] = await Promise.all([
    runProgram(['sesions']),
    runProgram(['--versoin'], { env: { LANG: 'zh_CN.UTF-8' } }),
    runProgram(['help', 'sesions']),
  ])
  expect(english).toMatchObject({ code: 2, stdout: '' })
  expect(english.stderr).toMatch(/^dataagent: .*Did you mean sessions\?.*\n$/)
  expect(chinese).toMatchObject({ code: 2, stderr: expect.stringContaining('是否想用 --version') })
  expect(topic).toMatchObject({ code: 2, stderr: expect.stringContaining('sessions') })
})

test('a platform that cannot be reached is told of in the language of the machine', async () => {
  const args = ['run', 'hello', '--server', 'http://127.0.0.1:9']
  const { code, stderr } = await runProgram(args, { env: { LANG: 'zh_CN.UTF-8' } })
  expect([code, stderr]).toEqual([1, expect.stringContaining('无法连接 http://127.0.0.1:9')])
})

test('a reader that has had enough of a list is no error', async () => {
  const line = `"${process.execPath}" "${launcher}" --help | true; echo "\${PIPESTATUS[0]}"`
  const { stdout, stderr } = await run('bash', ['-c', line])
  expect([stdout, stderr]).toEqual(['0\n', ''])
})

test('what the prompt does not need is not in the first file, nor in what it imports', async () => {
  const first = await loadedAtOnce('main.js')
  const code = first.map(({ text }) => text).join('')
  expect(code.length).toBeLessThan(60_000)
  for (const heavy of ['ZodType', 'undici', 'WebSocket']) expect(code).not.toContain(heavy)
  expect(await readdir(dist)).not.toHaveLength(first.length)
})

/** A file of dist/ and all that it imports statically. */
async function loadedAtOnce(file: string, seen = new Map<string, string>()) {
  const text = await readFile(join(dist, file), 'utf8')
  seen.set(file, text)
  for (const [, next = ''] of text.matchAll(/\bfrom\s*["']\.\/([^"']+)["']/g))
    if (!seen.has(next)) await loadedAtOnce(next, seen)
  return [...seen].map(([name, content]) => ({ name, text: content }))
}

test('an old Node runs it with the one of the packages: same words, signals, exit code', async () => {
  await using tree = await plantTree()
  const old = join(tree.path, 'old.mjs')
  await writeFile(old, `Object.defineProperty(process, 'version', { value: 'v20.9.0' })`)
  const started = spawn(process.execPath, ['--import', old, tree.launcher, 'a b', '-c'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  started.stdout.on('data', (chunk) => (said += chunk))
  const args = await waitFor(() => /\["a b","-c"\]/.exec(said), { timeoutMs: 20_000 })
  expect(args).toHaveLength(1)
  started.kill('SIGTERM')
  expect(await once(started, 'exit')).toEqual([42, null])
})

test('in a tree that changed since, it is made first', async () => {
  await using tree = await plantTree()
  await writeFile(join(tree.path, 'apps/cli/new-source.ts'), '')
  const failed = await run(process.execPath, [tree.launcher]).catch((error) => error)
  // Nothing is installed here and nothing can be: the set-up says so, and nothing else is run.
  expect(failed.stderr).toContain('Installing packages')
  expect(failed.stdout).toBe('')
})

/** A tree whose program tells its arguments and ends with 42 when it is told to. */
async function plantTree() {
  const directory = await temporaryDirectory()
  const to = (path: string) => join(directory.path, path)
  await mkdir(to('apps/cli/dist'), { recursive: true })
  await mkdir(to('node_modules/.cache/dataagent'), { recursive: true })
  await cp(join(root, 'scripts'), to('scripts'), { recursive: true })
  await symlink(join(root, 'node_modules/.bin'), to('node_modules/.bin'))
  const program = `
    process.on('SIGTERM', () => process.exit(42))
    console.log(JSON.stringify(process.argv.slice(2)))
    setInterval(() => {}, 1000)`
  await writeFile(to('apps/cli/dist/main.js'), program)
  await writeFile(to('package.json'), '{"type":"module"}')
  const { writeSeal } = await import(to('scripts/setup/seal.mjs'))
  writeSeal(directory.path, 'cli', { node: process.execPath, paths: ['apps/cli'] })
  return { ...directory, launcher: to('scripts/dataagent.mjs') }
}
