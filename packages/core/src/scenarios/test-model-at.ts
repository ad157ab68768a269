import { createEgress } from '@dataagent/guard'
import { createSecret } from '@dataagent/schema'
import { collect, person, type TestEngine } from '../engine/test-engine.ts'
import { createOpenAiModel } from '../models/index.ts'

/** The same session through another way to the model. */
export function modelAt(engine: TestEngine, url: string, limits = {}) {
  const egress = createEgress({ policy: { mode: 'any' } })
  const apiKey = createSecret(engine.standIn.apiKey)
  const options = { egress, baseUrl: `${url}/v1`, apiKey, model: 'standin', limits }
  const agent = { ...engine.agent, model: createOpenAiModel(options) }
  const executor = engine.createExecutor({ agent })
  return {
    say: (input: string) =>
      collect(executor.execute(input, engine.session_id, { principal: person })),
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  }
}
