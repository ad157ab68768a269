import { type EvaluationReport, questionSchema, type Trial } from '@dataagent/schema'

const none = { count: 0, mean: 0, min: 0, p50: 0, p90: 0, p95: 0, p99: 0, p999: 0, max: 0 }

/** One asking that was answered rightly. */
export function aTrial(fields: Partial<Trial> = {}): Trial {
  return {
    ...{ trial_id: 't1', question_id: 'q1', attempt: 1, status: 'passed', failure: null },
    ...{ checks: [], matched_keywords: [], answer: '42', session_id: null, started_at: 1_000 },
    ...{ late_ms: 0, first_event_ms: 10, first_text_ms: 20, tool_ms: 0, total_ms: 30, tools: [] },
    ...{ model: null, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost: null },
    ...fields,
  }
}

/** What `dataagent harbor run` would have made of one question. */
export function aReport(fields: Partial<EvaluationReport> = {}): EvaluationReport {
  return {
    ...{ format: 1, run_id: 'run-1', name: 'Orders', started_at: 1_000, ended_at: 2_000 },
    is_complete: true,
    target: {
      ...{ url: 'http://127.0.0.1:9', transport: 'ws', assistant_id: null, server_version: null },
    },
    load: {
      ...{ mode: 'closed', concurrency: 1, ramp_seconds: 0, warm_up_seconds: 0 },
      duration_seconds: null,
    },
    counts: { total: 1, passed: 1, failed: 0, error: 0, timeout: 0 },
    failures: { capability: 0, infrastructure: 0 },
    pass_rate: { value: 1, low: 0.2, high: 1 },
    times: { first_event: none, first_text: none, tool: none, total: none, late: none },
    ...{ throughput: 1, prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, cost: null },
    ...{ by_category: [], by_difficulty: [], by_tag: [], timeline: [] },
    asker: { cpu_seconds: 0, cpu_share: 0, loop_delay_p99_ms: 0 },
    questions: [questionSchema.parse({ question_id: 'q1', question: 'How many orders?' })],
    trials: [aTrial()],
    ...fields,
  }
}
