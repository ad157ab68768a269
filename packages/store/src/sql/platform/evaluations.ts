import { createEvaluationDatasets } from './evaluation-datasets.ts'
import { createEvaluationRuns } from './evaluation-runs.ts'
import { createEvaluationTrials } from './evaluation-trials.ts'
import type { PlatformOptions } from './tables.ts'

/** Questions, runs of them, and what came of each. */
export interface Evaluations {
  datasets: ReturnType<typeof createEvaluationDatasets>
  runs: ReturnType<typeof createEvaluationRuns>
  trials: ReturnType<typeof createEvaluationTrials>
}

export function createEvaluations(options: PlatformOptions): Evaluations {
  return {
    datasets: createEvaluationDatasets(options),
    runs: createEvaluationRuns(options),
    trials: createEvaluationTrials(options),
  }
}
