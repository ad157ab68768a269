import { createEgress } from '@dataagent/guard'
import {
  type EvaluationReport,
  evaluationReportSchema,
  type Question,
  questionSchema,
  type Trial,
  trialSchema,
} from '@dataagent/schema'
import type { QuestionSet } from '../contract.ts'
import type { Sink, SinkOptions, SinkSummary } from './contract.ts'

export const run = { run_id: 'run-1' }

export function aQuestion(fields: Partial<Question> = {}): Question {
  return questionSchema.parse({
    question_id: 'q1',
    question: 'How many orders?',
    expected_keywords: ['42'],
    expected_tools: ['sql.query'],
    category: 'orders',
    difficulty: 'easy',
    tags: ['smoke'],
    ...fields,
  })
}

export function aSet(questions: Question[] = [aQuestion()]): QuestionSet {
  return { name: 'shop', questions }
}

const noChecks = { name: 'keywords', passed: true, message: '' } as const

export function aTrial(fields: Partial<Trial> = {}): Trial {
  return trialSchema.parse({
    ...{ trial_id: 't1', question_id: 'q1', attempt: 1, status: 'passed', failure: null },
    ...{ checks: [noChecks], matched_keywords: ['42'], answer: 'There are 42.' },
    ...{ session_id: 's1', started_at: 1_900_000_000_000, late_ms: 500, total_ms: 2_500 },
    ...{ first_event_ms: 600, first_text_ms: 900, tool_ms: 300, model: 'gpt-5' },
    tools: [{ name: 'sql.query', status: 'success', ms: 300 }],
    ...{ prompt_tokens: 100, completion_tokens: 20, cached_tokens: 40, cost: 0.01 },
    ...fields,
  })
}

export const aFailedTrial = aTrial({
  ...{ trial_id: 't2', status: 'failed', answer: 'No idea.', matched_keywords: [] },
  failure: { kind: 'capability', code: 'not_as_expected', message: 'No 42 in it' },
  checks: [{ name: 'keywords', passed: false, message: 'Missing: 42' }],
  tools: [{ name: 'sql.query', status: 'error', ms: null }],
})

const noTimes = { count: 0, mean: 0, min: 0, p50: 0, p90: 0, p95: 0, p99: 0, p999: 0, max: 0 }

export function aReport(trials: Trial[] = []): EvaluationReport {
  const passed = trials.filter(({ status }) => status === 'passed').length
  return evaluationReportSchema.parse({
    ...{ format: 1, run_id: run.run_id, name: 'shop', is_complete: true, throughput: 1 },
    ...{ started_at: 1_900_000_000_000, ended_at: 1_900_000_060_000 },
    target: { url: 'http://x', transport: 'rest', assistant_id: null, server_version: null },
    load: {
      ...{ mode: 'closed', concurrency: 1, ramp_seconds: 0, warm_up_seconds: 0 },
      duration_seconds: null,
    },
    counts: { total: trials.length, passed, failed: trials.length - passed, error: 0, timeout: 0 },
    failures: { capability: 0, infrastructure: 0 },
    pass_rate: { value: trials.length === 0 ? 0 : passed / trials.length, low: 0, high: 1 },
    times: {
      ...{ first_event: noTimes, first_text: noTimes, tool: noTimes },
      ...{ total: noTimes, late: noTimes },
    },
    ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost: null },
    ...{ by_category: [], by_difficulty: [], by_tag: [], timeline: [] },
    ...{ asker: { cpu_seconds: 0, cpu_share: 0, loop_delay_p99_ms: 0 }, questions: [], trials },
  })
}

/** One run told to the sink that `create` makes; undefined where it makes none. */
export async function tell(
  create: (options: SinkOptions) => Sink | undefined,
  options: Omit<SinkOptions, 'egress'>,
  { set = aSet(), trials = [aTrial()] }: { set?: QuestionSet; trials?: Trial[] } = {},
): Promise<SinkSummary | undefined> {
  await using egress = createEgress({ policy: { mode: 'any' } })
  const sink = create({ ...options, egress })
  await sink?.begin(set, run)
  for (const trial of trials) {
    const question = set.questions.find((one) => one.question_id === trial.question_id)
    sink?.onTrial(question ?? aQuestion(), trial)
  }
  return await sink?.finish(aReport(trials))
}
