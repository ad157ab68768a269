import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import {
  type Reply,
  startModelStandIn,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../args/index.ts'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import {
  launcher,
  runProgram,
  startProgram,
  type TestProgramOptions,
} from '../testing/test-program.ts'
import { toRequest } from './request.ts'

const attack = 'red \x1b[31mtext\x1b]0;title\x07 \x9b2J\u202eend'
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const harmful = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      return replyTo(asked, toolRounds(request))
    },
  })
})
afterAll(() => platform[Symbol.asyncDispose]())

function replyTo(asked: string, rounds: number): Reply {
  if (asked.includes('fail')) return { error: 400, message: 'no such luck' }
  if (asked.includes('slow')) return { text: 'word '.repeat(5_000), itl: 20 }
  if (asked.includes('attack')) return { text: attack }
  if (asked.includes('look') && rounds === 0)
    return { text: 'Let me look.', toolCalls: [{ name: 'ls', arguments: { path: '/' } }] }
  if (asked.includes('post') && rounds === 0) {
    const args = { url: `${platform.url}/api/v1/health`, method: 'POST' }
    return { toolCalls: [{ name: 'http_request', arguments: args }] }
  }
  return { text: `You said: ${asked}` }
}

const env = () => ({ DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey })
const run = (args: string[], options: TestProgramOptions = {}) =>
  runProgram(['run', ...args], { env: env(), ...options })
const start = (args: string[]) => startProgram(['run', ...args], { env: env() })

const newestRun = async () => (await platform.client.runs.list({ limit: 1 })).runs[0]

describe.concurrent('what is printed', () => {
  test('text is the answer alone, and the exit code 0', async () => {
    const ended = await run(['what', 'is', 'up'])
    expect(ended).toEqual({ code: 0, stdout: 'You said: what is up\n', stderr: '' })
  })

  test('text of a pipe comes after the words', async () => {
    const { stdout } = await run(['sum', 'this'], { input: '1\n2\n' })
    expect(stdout).toBe('You said: sum this\n\n1\n2\n')
  })

  test('"-" and nothing at all read the pipe alone', async () => {
    const ends = await Promise.all([run(['-'], { input: 'a' }), run([], { input: 'b' })])
    expect(ends.map(({ stdout }) => stdout)).toEqual(['You said: a\n', 'You said: b\n'])
  })

  test('a pipe that stays silent is not waited for where there are words', async () => {
    const { code, stdout, stderr } = await run(['hello'], { input: { open: true } })
    expect([code, stdout]).toEqual([0, 'You said: hello\n'])
    expect(stderr).toContain('"-" waits for it')
  })

  test('json is one object with the answer, what it took and, if asked, the events', async () => {
    const { stdout, stderr } = await run(['--output', 'json', '--events', 'look around'])
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ status: 'ok', session_id: expect.any(String) })
    expect(result.answer).toBe('You said: look around')
    expect(result.usage).toMatchObject({ model: 'openai:standin' })
    expect(result.duration_ms).toBeGreaterThan(0)
    const types = result.events.map(({ event_type }: { event_type: string }) => event_type)
    expect(types).toContain('tool_result')
    expect(types.at(-1)).toBe('done')
    expect(stderr).toMatch(/^- ls \{"path":"\/"\}\n- ls: \w+, \d+ ms\n$/)
  })

  test('ndjson is every event as it comes', async () => {
    const { code, stdout, stderr } = await run(['--output', 'ndjson', 'hello'])
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, stderr]).toEqual([0, ''])
    expect(events[0]).toMatchObject({ event_type: 'user_message', content: 'hello' })
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
  })

  test('--quiet leaves out the progress', async () => {
    expect(await run(['-q', 'look'])).toMatchObject({ code: 0, stderr: '' })
  })

  test.for(['text', 'json', 'ndjson'])('%s holds nothing that a terminal acts upon', async (as) => {
    const { stdout } = await run(['--output', as, 'attack'])
    expect(stdout.replaceAll('\n', '')).not.toMatch(harmful)
    expect(stdout).toContain('red ')
    const [line = ''] = stdout.split('\n')
    if (as === 'json') expect(JSON.parse(line).answer).toBe(attack)
  })
})

describe.concurrent('what asks for approval', () => {
  test('is denied, with the line that would allow it, and the exit code 3', async () => {
    const { code, stdout, stderr } = await run(['--output', 'json', 'post'])
    const { session_id, status } = JSON.parse(stdout)
    expect([code, status]).toEqual([3, 'rejected'])
    const line = `dataagent run --server ${platform.url} --session ${session_id} --approve auto "…"`
    expect(stderr).toContain('http_request needs approval')
    expect(stderr).toContain(line)
  })

  test('runs with --approve auto, which is said, and holds for this run alone', async () => {
    const { code, stdout, stderr } = await run(['--approve', 'auto', '-o', 'json', 'post'])
    expect([code, JSON.parse(stdout).status]).toEqual([0, 'ok'])
    expect(stderr).toContain('approved without a person')
    const { auto_approve = false } = await platform.client.sessions.get(
      JSON.parse(stdout).session_id,
    )
    expect(auto_approve).toBe(false)
  })

  test('waits with --approve policy for a person elsewhere', async () => {
    await using program = start(['--approve', 'policy', 'post'])
    await program.said('waits for a person')
    const { approvals } = await platform.client.approvals.list({ status: 'pending' })
    await platform.client.approvals.decide(approvals[0]!.approval_id, { type: 'approve' })
    expect(await program.ended).toBe(0)
    expect(program.stderr()).toContain('http_request was approved')
    expect(program.stdout()).toBe('You said: post\n')
  })
})

describe('what ends it early', () => {
  test('the time that was given: exit code 4, and the turn is stopped', async () => {
    const { code, stdout } = await run(['--timeout', '1.5', '--output', 'json', 'slow'])
    expect([code, JSON.parse(stdout).status]).toEqual([4, 'timeout'])
    expect(await newestRun()).toMatchObject({ status: 'cancelled' })
  })

  test('Ctrl-C: the turn is stopped at the platform, and the exit code is 130', async () => {
    await using program = start(['--output', 'ndjson', 'slow'])
    await waitFor(() => program.stdout().includes('"text"'), { timeoutMs: 20_000 })
    program.process.kill('SIGINT')
    expect(await program.ended).toBe(130)
    expect(program.stdout()).toContain('"event_type":"done"')
    expect(await newestRun()).toMatchObject({ status: 'cancelled' })
  })

  test('Ctrl-C twice leaves at once, also while the platform is silent', async () => {
    await using program = start(['--output', 'ndjson', 'slow'])
    await waitFor(() => program.stdout().includes('"text"'), { timeoutMs: 20_000 })
    process.kill(platform.pid, 'SIGSTOP')
    try {
      program.process.kill('SIGINT')
      await program.said('Stopping')
      const since = performance.now()
      await waitFor(() => performance.now() - since > 250)
      program.process.kill('SIGINT')
      expect(await program.ended).toBe(130)
    } finally {
      process.kill(platform.pid, 'SIGCONT')
    }
  })

  test('also then the session approves by itself no longer than the run', async () => {
    const { session_id } = await platform.client.sessions.create()
    const args = ['--output', 'ndjson', '--approve', 'auto', '--session', session_id, 'slow']
    await using program = start(args)
    const isApproving = async () =>
      (await platform.client.sessions.get(session_id)).auto_approve ?? false
    await waitFor(() => program.stdout().includes('"text"'), { timeoutMs: 20_000 })
    expect(await isApproving()).toBe(true)
    process.kill(platform.pid, 'SIGSTOP')
    try {
      program.process.kill('SIGINT')
      await program.said('Stopping')
      const since = performance.now()
      await waitFor(() => performance.now() - since > 250)
      program.process.kill('SIGINT')
    } finally {
      process.kill(platform.pid, 'SIGCONT')
    }
    expect(await program.ended).toBe(130)
    await expect.poll(isApproving).toBe(false)
  })

  test('a reader that has had enough: quiet, and the turn is stopped', async () => {
    const command = `"${process.execPath}" "${launcher}" run --output ndjson slow | head -n 1`
    const child = spawn('/bin/bash', ['-c', `set -o pipefail; ${command}; echo "ended $?"`], {
      env: { PATH: '/usr/bin:/bin', ...env() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, told] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (child.exitCode === null) await once(child, 'exit')
    expect(out).toMatch(/^\{"event_type":"user_message".*\nended 130\n$/)
    expect(told).toBe('')
    expect(await newestRun()).toMatchObject({ status: 'cancelled' })
  })
})

describe.concurrent('what fails', () => {
  test('a model that refuses: exit code 1, and why', async () => {
    const { code, stdout, stderr } = await run(['--output', 'json', 'fail'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'error', error: expect.any(String) })
    expect(stderr).not.toBe('')
  })

  test('a key that is wrong, a session that is not there, nothing to ask', async () => {
    const wrongKey = { env: { ...env(), DATAAGENT_API_KEY: 'wrong' } }
    const ends = await Promise.all([
      run(['hello'], wrongKey),
      run(['--session', 'nowhere', 'hello']),
      run([]),
      run(['--timeout', 'x', 'hello']),
      runProgram(['run', '--folder', '/no/such/folder', 'hello']),
    ])
    expect(ends.map(({ code, stdout }) => [code, stdout])).toEqual([
      ...[
        [1, ''],
        [1, ''],
        [2, ''],
        [2, ''],
        [1, ''],
      ],
    ])
    for (const { stderr } of ends) expect(stderr).toMatch(/^dataagent: .+\n$/)
  })

  test('a key file is read only where it is closed to others [T60]', async () => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'key')
    await writeFile(file, `${platform.apiKey}\n`, { mode: 0o644 })
    const args = ['run', '--server', platform.url, '--api-key-file', file, 'hello']
    const open = await runProgram(args)
    expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining(`chmod 600 ${file}`) })
    await chmod(file, 0o600)
    expect(await runProgram(args)).toMatchObject({ code: 0, stdout: 'You said: hello\n' })
  })

  test('a key on the command line works, with a warning', async () => {
    const args = ['--server', platform.url, '--api-key', platform.apiKey, 'run', 'hello']
    const ended = await runProgram(args)
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('--api-key-file') })
  })
})

test('--session and --continue go on where a session was', async () => {
  const { session_id } = JSON.parse((await run(['-o', 'json', 'first'])).stdout)
  const second = await run(['-o', 'json', '--session', session_id, 'second'])
  const third = await run(['-o', 'json', '--continue', 'third'])
  const ids = [second, third].map(({ stdout }) => JSON.parse(stdout).session_id)
  expect(ids).toEqual([session_id, session_id])
})

test('an unknown way to choose the session is refused before anything is opened', () => {
  const call = { words: [], rest: [], flags: new Map([['session', ['a']]]) }
  const context = { options: { resume: { kind: 'last' } } } as Parameters<typeof toRequest>[1]
  expect(toRequest(call, context)).toHaveProperty('en')
})

test('without a server it brings its own platform, works in the folder, and leaves nothing', async () => {
  await using home = await temporaryDirectory()
  await using model = await startModelStandIn({
    script: (request) =>
      toolRounds(request) === 0
        ? { toolCalls: [{ name: 'read_file', arguments: { path: 'note.txt' } }] }
        : { text: `It says: ${JSON.stringify(request.turns.at(-1))}` },
  })
  await writeFile(join(home.path, 'note.txt'), 'the word is quince')
  const env = {
    ...{ HOME: home.path, DATAAGENT_DATA_DIR: join(home.path, 'data') },
    ...{ DATAAGENT_MODEL: 'openai:standin', OPENAI_API_KEY: model.apiKey },
    OPENAI_BASE_URL: `${model.url}/v1`,
  }
  const ended = await runProgram(['run', '-C', home.path, 'what is in the note?'], { env })
  expect(ended.stderr).toMatch(/^- read_file .*\n- read_file: ok, \d+ ms\n$/)
  expect(ended.stdout).toContain('quince')
  expect(ended.code).toBe(exitCodes.ok)
  const listed = await runProgram(['sessions', '--json'], { env, cwd: home.path })
  expect(JSON.parse(listed.stdout)).toHaveLength(1)
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args'])
  expect(stdout.split('\n').filter((line) => line.includes(home.path))).toEqual([])
})
