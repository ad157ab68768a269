import { appendFile, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Load, questionSchema, type Trial } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type JournalHeader, openJournal } from './journal.ts'
import { openTranscripts } from './transcripts.ts'

const load: Load = {
  ...{ mode: 'closed', concurrency: 2, ramp_seconds: 0, warm_up_seconds: 0 },
  duration_seconds: null,
}
const question = questionSchema.parse({ question_id: 'q1', question: 'How many orders?' })
const header: JournalHeader = {
  run_id: 'run-1',
  set: { name: 'orders', questions: [question] },
  load,
}

const trial = (attempt: number, more: Partial<Trial> = {}): Trial => ({
  ...{ trial_id: `t${attempt}`, question_id: 'q1', attempt, status: 'passed', failure: null },
  ...{ checks: [], matched_keywords: [], answer: '42', session_id: 's1', started_at: 1_000 },
  ...{ late_ms: 0, first_event_ms: 1, first_text_ms: 2, tool_ms: 0, total_ms: 500, tools: [] },
  ...{ model: null, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost: null },
  ...more,
})

/** A journal with these trials, closed again. */
async function writeJournal(file: string, trials: Trial[], headed = header) {
  await using journal = await openJournal(file, headed)
  for (const one of trials) await journal.add(one)
}

test('a run that was interrupted goes on with its trials and its id', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'runs', 'a.jsonl')
  await writeJournal(file, [trial(1), trial(2, { started_at: 3_000, total_ms: 1_500 })])
  await using journal = await openJournal(file, { ...header, run_id: 'run-2' })
  expect(journal.run_id).toBe('run-1')
  expect(journal.trials).toEqual([trial(1), trial(2, { started_at: 3_000, total_ms: 1_500 })])
  expect(journal.earlier_seconds).toBe(3.5)
})

test('what ended by an error of infrastructure is asked again', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  const failure = { kind: 'infrastructure', code: 'network_failed', message: 'gone' } as const
  await writeJournal(file, [trial(1), trial(2, { status: 'error', failure })])
  await writeJournal(file, [trial(2)])
  await using journal = await openJournal(file, header)
  expect(journal.trials).toEqual([trial(1), trial(2)])
})

test('the pause between two parts of a run counts for nothing', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  await writeJournal(file, [trial(1)])
  await writeJournal(file, [trial(2, { started_at: 3_600_000, late_ms: 100, total_ms: 700 })])
  await using journal = await openJournal(file, header)
  expect(journal.earlier_seconds).toBeCloseTo(1.2)
})

test('a trial is in the file once it is added, and only its owner can read it', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  await using journal = await openJournal(file, header)
  await Promise.all(Array.from({ length: 50 }, (_, at) => journal.add(trial(at + 1))))
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['run', ...Array(50).fill('trial')])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a last line that was torn off is left out, and the next begins a line', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  await writeJournal(file, [trial(1)])
  await appendFile(file, '{"kind":"trial","trial":{"trial_id":"t2","ans')
  await writeJournal(file, [trial(3)])
  await using journal = await openJournal(file, header)
  expect(journal.trials.map(({ attempt }) => attempt)).toEqual([1, 3])
})

test.each([
  ['questions', { set: { name: 'orders', questions: [{ ...question, question: 'How few?' }] } }],
  ['settings of its load', { load: { ...load, concurrency: 3 } }],
])('a run with other %s is refused, and the file stays as it was', async (what, other) => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  await writeJournal(file, [trial(1)])
  const before = await readFile(file, 'utf8')
  await expect(openJournal(file, { ...header, ...other })).rejects.toMatchObject({
    ...{
      code: 'conflict',
      message: `${file} is of a run with other ${what}: choose another file.`,
    },
    data: { run_id: 'run-1', name: 'orders' },
  })
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('a run by duration cannot be resumed, as two times are not one', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  const timed = { ...header, load: { ...load, duration_seconds: 60 } }
  await writeJournal(file, [trial(1)], timed)
  await expect(openJournal(file, timed)).rejects.toMatchObject({ code: 'conflict' })
})

test.each([
  ['{"name":"package"}\n', 'is not the journal of a run'],
  ['not JSON\n{}\n', 'line 1: this is not JSON'],
])('a file that is something else is refused', async (content, message) => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  await writeFile(file, content)
  await expect(openJournal(file, header)).rejects.toThrow(message)
  expect(await readFile(file, 'utf8')).toBe(content)
})

test('a trial that is not whole is refused by its line', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.jsonl')
  await writeJournal(file, [trial(1)])
  await appendFile(file, '{"kind":"trial","trial":{}}\n')
  await expect(openJournal(file, header)).rejects.toThrow('a.jsonl, line 3')
})

test('transcripts are lines after those that are there', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.transcripts.jsonl')
  const transcript = {
    ...{
      trial_id: 't1',
      question_id: 'q1',
      attempt: 1,
      session_id: 's1',
      status: 'passed' as const,
    },
    ...{ question: 'How many?', events: [{ ms: 1, event_type: 'text', text: '42' }], answer: '42' },
  }
  for (const _ of [1, 2]) {
    await using transcripts = await openTranscripts(file)
    await transcripts.add(transcript)
  }
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([transcript, transcript])
})
