import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { evaluationReportSchema } from '@dataagent/schema'
import {
  type Reply,
  startFaultProxy,
  type TemporaryDirectory,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../../testing/test-platform.ts'
import { launcher, runProgram, startProgram } from '../../testing/test-program.ts'
import { openTestTerminal } from '../../testing/test-terminal.ts'

let platform: TestPlatform
let place: TemporaryDirectory

beforeAll(async () => {
  place = await temporaryDirectory()
  platform = await startTestPlatform({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      return replyTo(asked, toolRounds(request))
    },
  })
  await writeQuestions('mixed.json', [
    { question_id: 'sum', question: 'echo 42', expected_keywords: ['42'], tags: ['smoke'] },
    {
      question_id: 'look',
      question: 'look around',
      expected_tools: ['write_file'],
      category: 'files',
    },
    { question_id: 'wrong', question: 'echo 1', expected_keywords: ['2'], category: 'maths' },
  ])
  await writeQuestions('good.json', [
    { question_id: 'sum', question: 'echo 42', expected_keywords: ['42'] },
  ])
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

function replyTo(asked: string, rounds: number): Reply {
  if (asked.includes('slow')) return { text: 'word '.repeat(5_000), itl: 20 }
  if (asked.includes('steady')) return { text: 'steady on', ttft: 150 }
  if (asked.includes('look') && rounds === 0)
    return { toolCalls: [{ name: 'write_file', arguments: { path: 'note.txt', content: 'x' } }] }
  return { text: `You said: ${asked}` }
}

const inPlace = (...parts: string[]) => join(place.path, ...parts)
const writeQuestions = (name: string, questions: object[]) =>
  writeFile(inPlace(name), JSON.stringify({ name: 'shop', questions }))
const readReport = async (...parts: string[]) =>
  evaluationReportSchema.parse(JSON.parse(await readFile(inPlace(...parts), 'utf8')))

const env = () => ({ DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey })
const harbor = (...args: string[]) =>
  runProgram(['harbor', ...args], { env: env(), cwd: place.path })
const start = (...args: string[]) =>
  startProgram(['harbor', ...args], { env: env(), cwd: place.path })

describe('a run', () => {
  test('shows what came of it, writes its files, and is 1 where some have not passed [D27.1] [D27.4] [D27.5]', async () => {
    const { code, stdout, stderr } = await harbor('run', 'mixed.json', '--out', 'mixed')
    expect(stdout).toContain('66.7 %')
    expect(stdout).toContain('wrong')
    expect(stdout).not.toContain('\x1b')
    expect(code).toBe(1)
    const files = ['journal.jsonl', 'junit.xml', 'report.html', 'report.json', 'transcripts.jsonl']
    expect((await readdir(inPlace('mixed'))).toSorted()).toEqual(files)
    for (const name of files.slice(1, 4)) expect(stderr).toContain(`mixed/${name}`)
    expect((await stat(inPlace('mixed', 'report.json'))).mode & 0o777).toBe(0o600)
    const report = await readReport('mixed', 'report.json')
    expect(report).toMatchObject({
      ...{ name: 'shop', is_complete: true, counts: { total: 3, passed: 2, failed: 1 } },
      target: { url: platform.url, transport: 'rest' },
    })
    const byId = new Map(report.trials.map((trial) => [trial.question_id, trial]))
    expect(byId.get('sum')).toMatchObject({ status: 'passed', matched_keywords: ['42'] })
    expect(byId.get('look')?.tools).toMatchObject([{ name: 'write_file', status: 'success' }])
    expect(byId.get('wrong')?.failure).toMatchObject({ kind: 'capability' })
    const xml = await readFile(inPlace('mixed', 'junit.xml'), 'utf8')
    expect(xml.match(/<testcase /g)).toHaveLength(3)
    expect(xml.match(/<failure /g)).toHaveLength(1)
    expect(xml).toMatch(/<testsuites [^>]*tests="3"[^>]*failures="1"/)
  })

  test('--fail-under is the share that must have passed, of the questions that fit', async () => {
    const args = ['run', 'mixed.json', '--format', 'json', '--filter', 'category=maths', '--quiet']
    const [under, over] = await Promise.all([
      harbor(...args, '--out', 'under', '--fail-under', '50'),
      harbor(...args, '--filter', 'category=files', '--out', 'over', '--fail-under', '50'),
    ])
    expect(under).toMatchObject({ code: 1, stderr: expect.stringContaining('--fail-under') })
    expect(over).toMatchObject({ code: 0 })
    expect((await readReport('over', 'report.json')).counts).toMatchObject({ total: 2, passed: 1 })
  })

  test('over WebSocket, all as wanted is 0 [D27.6]', async () => {
    const args = ['--transport', 'ws', '--out', 'ws', '--format', 'json', '--quiet']
    const { code, stderr } = await harbor('run', 'good.json', ...args)
    expect({ code, stderr }).toEqual({
      ...{ code: 0, stderr: 'dataagent: Written: ws/report.json\n' },
    })
    expect((await readReport('ws', 'report.json')).target.transport).toBe('ws')
  })

  test('--url, --api-key and --json do without the environment and without a table', async () => {
    const args = ['--url', platform.url, '--api-key', platform.apiKey, '--json', '--out', 'plain']
    const { code, stdout } = await runProgram(['harbor', 'run', 'good.json', ...args], {
      cwd: place.path,
    })
    expect(code).toBe(0)
    expect(evaluationReportSchema.parse(JSON.parse(stdout)).counts.passed).toBe(1)
  })

  test('an answer that is late is a timeout [D27.4]', async () => {
    await writeQuestions('slow.json', [{ question_id: 'slow', question: 'slow' }])
    await harbor('run', 'slow.json', '--out', 'slow', '--timeout', '0.5')
    expect((await readReport('slow', 'report.json')).trials).toMatchObject([{ status: 'timeout' }])
  })

  test('each question is asked as often as told, by as many at once [D27.3]', async () => {
    const args = ['--attempts', '6', '--concurrency', '3', '--out', 'attempts']
    await harbor('run', 'good.json', ...args)
    const report = await readReport('attempts', 'report.json')
    expect(report.load).toMatchObject({ mode: 'closed', concurrency: 3 })
    expect(report.trials.map(({ attempt }) => attempt).toSorted()).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('a rate for a time, in Chinese', async () => {
    const rate = ['--rate', '10', '--duration', '1']
    const args = ['--out', 'zh', '--lang', 'zh', ...rate]
    const { stdout, stderr } = await harbor('run', 'good.json', ...args)
    expect(stdout).toContain('通过率')
    expect(stderr).toContain('已写入')
    expect(await readFile(inPlace('zh', 'report.html'), 'utf8')).toContain('lang="zh-CN"')
    const { load } = await readReport('zh', 'report.json')
    expect(load).toMatchObject({ mode: 'rate', rate: 10, duration_seconds: 1 })
  })

  test('a folder that cannot be written is a mistake of the command line', async () => {
    const { code, stderr } = await harbor('run', 'good.json', '--out', 'good.json')
    expect(code).toBe(2)
    expect(stderr).toMatch(/good\.json cannot be written \(EEXIST\): choose another --out/)
  })

  test('a set with expected queries needs a source to run them on, and says so before it asks', async () => {
    await writeQuestions('sql.json', [{ question: 'echo 42', expected_sql: 'SELECT 42' }])
    const args = ['run', 'sql.json', '--out', 'sql']
    const { code, stdout, stderr } = await harbor(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/1 question has expected_sql: .* --sql-source/)
    const named = await harbor(...args, '--sql-source', 'nowhere', '--format', 'json')
    expect(named.code).toBe(1)
    const [trial] = (await readReport('sql', 'report.json')).trials
    expect(trial?.failure?.message).toMatch(/^the expected query failed: .*nowhere/)
  })

  test('where nothing was counted it is 1, and the report says so', async () => {
    await writeQuestions('slow.json', [{ question: 'steady', expected_keywords: ['steady'] }])
    // Who is asked to warm up is answered only when the time is over.
    const times = ['--concurrency', '1', '--warm-up', '0.1', '--duration', '0.01']
    const args = ['--out', 'nothing', '--fail-under', '0', ...times]
    const { code, stdout } = await harbor('run', 'slow.json', ...args)
    expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('Trials 0') })
    expect(stdout).toContain('No trial was counted')
  })

  test('the folder of a run is never used by another; one that never began leaves it free', async () => {
    const wrong = ['--api-key', 'da_wrong', '--server', platform.url]
    expect(await harbor('run', 'good.json', '--out', 'taken', ...wrong)).toMatchObject({ code: 1 })
    const args = ['run', 'good.json', '--out', 'taken', '--quiet']
    expect(await harbor(...args)).toMatchObject({ code: 0 })
    expect(await harbor(...args)).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('--resume') },
    })
  })
})

test('a run that is interrupted has a report, and goes on later [D27.5]', async () => {
  const questions = Array.from({ length: 12 }, (_, at) => {
    return { question_id: `q${at}`, question: `steady ${at}`, expected_keywords: ['steady'] }
  })
  await writeQuestions('many.json', questions)
  const args = ['run', 'many.json', '--concurrency', '1', '--out', 'many']
  await using program = start(...args)
  const journal = () => readFile(inPlace('many', 'journal.jsonl'), 'utf8').catch(() => '')
  await expect
    .poll(async () => (await journal()).split('\n').length, { timeout: 20_000 })
    .toBeGreaterThan(3)
  program.process.kill('SIGINT')
  expect(await program.ended).toBe(130)
  expect(program.stderr()).toContain('dataagent harbor run many.json --resume many')
  const before = await readReport('many', 'report.json')
  expect(before.is_complete).toBe(false)
  expect(before.counts.total).toBeLessThan(12)
  const again = ['run', 'many.json', '--concurrency', '1']
  expect(await harbor(...again, '--resume', 'many')).toMatchObject({ code: 0 })
  const after = await readReport('many', 'report.json')
  expect(after).toMatchObject({ run_id: before.run_id, is_complete: true, counts: { passed: 12 } })
  expect(new Set(after.trials.map(({ question_id }) => question_id)).size).toBe(12)
  const [none, other] = await Promise.all([
    harbor('run', 'good.json', '--resume', 'nowhere'),
    harbor('run', 'good.json', '--resume', 'many'),
  ])
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('nowhere') })
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('other questions') })
})

test('on a terminal it is shown in place, and Ctrl-C ends it gently', async () => {
  await writeQuestions('long.json', [
    { question_id: 'a', question: 'steady', expected_keywords: ['steady'] },
  ])
  await using terminal = await openTestTerminal({
    command: [process.execPath, launcher, 'harbor', 'run', 'long.json', '--attempts', '500'],
    ...{ cwd: place.path, columns: 100, rows: 20 },
    env: { PATH: '/usr/bin:/bin', HOME: place.path, ...env() },
  })
  await terminal.see(/\d+\/500 · passed \d+ · \d+ under way/)
  await terminal.see(/\d+\.\d\/s · p50 .* gone · about \d+:\d\d left/)
  expect(terminal.all().filter((line) => line.includes('/500'))).toHaveLength(1)
  terminal.write('\x03')
  await terminal.see('Stopping')
  await terminal.see('run long.json --resume', { anywhere: true })
  expect(await terminal.ended).toBe(130)
})

test('a second Ctrl-C ends it at once, and the terminal has its cursor', async () => {
  await writeQuestions('stuck.json', [{ question_id: 'slow', question: 'slow' }])
  // What does not hear of a cancel is waited for: the second one comes meanwhile.
  await using line = await startFaultProxy({ target: platform.url })
  await using terminal = await openTestTerminal({
    command: [process.execPath, launcher, 'harbor', 'run', 'stuck.json', '--out', 'stuck'],
    ...{ cwd: place.path, columns: 100, rows: 20 },
    env: { PATH: '/usr/bin:/bin', HOME: place.path, ...env(), DATAAGENT_SERVER: line.url },
  })
  await terminal.see('1 under way')
  await line.set({ kind: 'stall' })
  terminal.write('\x03')
  await terminal.see('Stopping')
  let isOver = false
  void terminal.ended.then(() => (isOver = true))
  // As often as it takes: what comes at once may be the first, passed on.
  const interrupt = () => {
    terminal.write('\x03')
    return isOver
  }
  await waitFor(interrupt, { intervalMs: 100 })
  expect(await terminal.ended).toBe(130)
  expect(await readdir(inPlace('stuck'))).not.toContain('report.json')
  const bytes = terminal.bytes()
  expect(bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?25l'))
})

describe('what is written is read again', () => {
  test('check says what is in a file, and what is wrong with it', async () => {
    await writeFile(inPlace('bad.json'), '[{"question":"a","expected_keyword":["x"]}]')
    const good = await harbor('check', 'mixed.json')
    const bad = await harbor('check', 'bad.json')
    const none = await harbor('check', 'none.json')
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(good.stdout).toMatch(/^shop: 3 questions\nWith keywords 2,.* tools 1/)
    expect(good.stdout).toContain('Categories: files 1, maths 1')
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('expected_keyword') })
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('ENOENT') })
  })

  test('a report is shown again, and compared with another', async () => {
    await harbor('run', 'mixed.json', '--out', 'one', '--quiet')
    const args = ['--out', 'two', '--quiet', '--baseline', 'one/report.json']
    const run = await harbor('run', 'mixed.json', ...args)
    expect(run.stdout).toContain('Compared with')
    const shown = await harbor('report', 'one/report.json')
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('66.7 %') })
    const again = ['report', 'one/report.json', '--html', 'again.html', '--junit', 'again.xml']
    expect(await harbor(...again)).toMatchObject({ code: 0, stdout: '' })
    expect(await readFile(inPlace('again.xml'), 'utf8')).toContain('<testsuites')
    const compared = await harbor('compare', 'one/report.json', 'two/report.json', '--json')
    expect(JSON.parse(compared.stdout)).toMatchObject({ pass_rate: { difference: 0 } })
    expect(await harbor('compare', 'mixed.json', 'one/report.json')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('mixed.json is not a report') },
    })
  })

  test('questions go to promptfoo and come back', async () => {
    const to = ['convert', 'mixed.json', '--to', 'promptfoo.yaml']
    expect(await harbor(...to)).toMatchObject({ code: 0 })
    expect(await harbor(...to)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists'),
    })
    const back = await harbor('convert', 'promptfoo.yaml', '--as', 'json')
    expect(JSON.parse(back.stdout).questions).toHaveLength(3)
  })
})

test.for([
  [['harbor'], 'harbor run|check|report|compare|convert'],
  [['harbor', 'compare', 'a'], 'BASELINE CURRENT'],
  [['harbor', 'run', 'good.json', '--concurrency', '0'], '--concurrency needs a number (1 …'],
] as const)('wrong usage is one line and 2: %j', async ([args, expected]) => {
  const { code, stdout, stderr } = await runProgram(args, { cwd: place.path })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(expected)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
})
