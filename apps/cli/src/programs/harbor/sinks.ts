import { createEgress } from '@dataagent/guard'
import {
  createLangfuse,
  createLangSmith,
  type QuestionSet,
  type Sink,
  type SinkSummary,
} from '@dataagent/harbor'
import type { EvaluationReport, Trial } from '@dataagent/schema'

/** The services that the environment names, all of them. */
export interface Sinks extends AsyncDisposable {
  names: string[]
  begin(set: QuestionSet, run: { run_id: string }): Promise<void>
  onTrial(trial: Trial): void
  finish(report: EvaluationReport): Promise<SinkSummary[]>
}

export function openSinks(env: Readonly<Record<string, string | undefined>>): Sinks {
  // Whoever has set these addresses is who runs this program.
  const egress = createEgress({ policy: { mode: 'any' } })
  const sinks: Sink[] = [createLangSmith, createLangfuse].flatMap(
    (create) => create({ env, egress }) ?? [],
  )
  let questions = new Map<string, QuestionSet['questions'][number]>()
  return {
    names: sinks.map(({ name }) => name),
    async begin(set, run) {
      questions = new Map(set.questions.map((question) => [question.question_id, question]))
      await Promise.all(sinks.map((sink) => sink.begin(set, run)))
    },
    onTrial(trial) {
      const question = questions.get(trial.question_id)
      if (question) for (const sink of sinks) sink.onTrial(question, trial)
    },
    finish: (report) => Promise.all(sinks.map((sink) => sink.finish(report))),
    [Symbol.asyncDispose]: () => egress.close(),
  }
}
