import { type EvaluationReport, type Question, questionSchema, type Trial } from '@dataagent/schema'
import { createRandom } from '../measure/index.ts'
import { toReport } from './to-report.ts'

const started_at = Date.UTC(2026, 10, 17, 20, 0, 0)

export function toTrial(parts: Partial<Trial> = {}): Trial {
  return {
    ...{ trial_id: 't1', question_id: 'q1', attempt: 1, status: 'passed', failure: null },
    ...{ checks: [], matched_keywords: [], answer: 'There are 12.', session_id: 's1', started_at },
    ...{ late_ms: 0, first_event_ms: 10, first_text_ms: 200, tool_ms: 0, total_ms: 1000 },
    ...{ tools: [], model: 'demo', prompt_tokens: 100, completion_tokens: 20, cached_tokens: 0 },
    cost: null,
    ...parts,
  }
}

/** A failed trial, as a wrong answer leaves it. */
export function toWrong(parts: Partial<Trial> = {}): Trial {
  const message = 'keywords: missing: 12'
  return toTrial({
    status: 'failed',
    failure: { kind: 'capability', code: 'wrong_answer', message },
    checks: [{ name: 'keywords', passed: false, message: 'missing: 12' }],
    ...parts,
  })
}

export function toTestReport(
  parts: Partial<Omit<Parameters<typeof toReport>[0], 'set'>> & {
    questions?: Partial<Question>[]
    name?: string
  } = {},
): EvaluationReport {
  const { questions = [{}], name = 'shop', ...rest } = parts
  return toReport({
    ...{ run_id: 'run-1', trials: [toTrial()], started_at, ended_at: started_at + 10_000 },
    set: {
      name,
      questions: questions.map((question, at) =>
        questionSchema.parse({ question_id: `q${at + 1}`, question: 'How many?', ...question }),
      ),
    },
    target: { url: 'http://a', transport: 'ws', assistant_id: 'a1', server_version: '0.1.0' },
    load: {
      ...{ mode: 'closed', concurrency: 4, ramp_seconds: 0, warm_up_seconds: 0 },
      duration_seconds: null,
    },
    ...{ is_complete: true, measured_seconds: 10, timeline: [] },
    asker: { cpu_seconds: 0.2, cpu_share: 0.02, loop_delay_p99_ms: 2 },
    ...rest,
  })
}

/** A run such as people have: several categories, a tail of slow answers, a few of each fault. */
export function toLivelyReport({ seed = 1, faults = 0.15 } = {}): EvaluationReport {
  const random = createRandom(seed)
  const categories = ['销售分析', 'Customers', 'Inventory', 'Data quality', null]
  const questions = Array.from({ length: 60 }, (_, at) => ({
    question: `${at % 3 === 0 ? '上个月华东区的订单总额是多少？' : 'How many orders were shipped late last month?'} (${at + 1})`,
    expected_keywords: ['1,284', 'orders'],
    expected_tools: ['run_query'],
    category: categories[at % categories.length] ?? null,
    difficulty: ['easy', 'medium', 'hard'][at % 3] ?? null,
    tags: at % 4 === 0 ? ['nightly'] : [],
  }))
  const trials = Array.from({ length: 480 }, (_, at) => toLivelyTrial(at, random, faults))
  const timeline = Array.from({ length: 120 }, (_, second) => {
    const ended = 3 + Math.floor(3 * random.uniform())
    const p50_ms = 1400 + 500 * random.uniform() + second * 4
    return {
      ...{ second, begun: 4, ended, not_passed: random.uniform() < 0.3 ? 1 : 0, under_way: 8 },
      ...{ p50_ms, p99_ms: p50_ms * (1.8 + 2 * random.uniform()) },
    }
  })
  return toTestReport({
    ...{ name: 'Shop questions 商城问题集', questions, trials, timeline },
    ...{ run_id: `run-${seed}`, ended_at: started_at + 120_000, measured_seconds: 120 },
  })
}

function toLivelyTrial(at: number, random: ReturnType<typeof createRandom>, faults: number): Trial {
  const total_ms = 400 * Math.exp(3 * random.beta(2, 3)) * (random.uniform() < 0.03 ? 6 : 1)
  const parts: Partial<Trial> = {
    ...{ trial_id: `t${at}`, question_id: `q${(at % 60) + 1}`, attempt: Math.floor(at / 60) + 1 },
    ...{ total_ms, first_event_ms: 8 + 30 * random.uniform(), first_text_ms: total_ms * 0.3 },
    ...{ tool_ms: total_ms * 0.2, prompt_tokens: 2100, completion_tokens: 180, cost: 0.0042 },
    tools: [{ name: 'mcp.shop.run_query', status: 'success', ms: total_ms * 0.2 }],
    ...{ matched_keywords: ['1,284', 'orders'], answer: 'There were **1,284** orders.' },
  }
  const chance = random.uniform()
  if (chance > faults) return toTrial(parts)
  if (chance > faults * 0.2) {
    const answer = 'I found 1,199 orders.\n\n| region | n |\n| --- | --- |\n| East | 1199 |'
    const failure = { code: 'wrong_answer', message: 'keywords: missing: 1,284' }
    return toWrong({
      ...{ ...parts, answer, matched_keywords: ['orders'] },
      failure: { kind: 'capability', ...failure },
    })
  }
  const isLate = chance > faults * 0.1
  const code = isLate ? 'timeout' : 'unavailable'
  const message = isLate ? 'no whole answer after 60.0 s' : 'the model’s provider does not answer'
  return toTrial({
    ...{ ...parts, answer: '', status: isLate ? 'timeout' : 'error' },
    failure: { kind: 'infrastructure', code, message },
  })
}
