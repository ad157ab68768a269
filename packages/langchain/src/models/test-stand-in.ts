import { createOpenAiModel } from '@dataagent/core'
import { createEgress } from '@dataagent/guard'
import { createSecret } from '@dataagent/schema'
import { type ModelStandIn, type Script, startModelStandIn } from '@dataagent/testkit'
import { ChatOpenAI } from '@langchain/openai'

/** A model stand-in, and clients of it: LangChain's own and ours. */
export interface TestModels extends AsyncDisposable {
  standIn: ModelStandIn
  chat(model?: string, fields?: object): ChatOpenAI
  port(model?: string): ReturnType<typeof createOpenAiModel>
}

export async function startTestModels(script?: Script): Promise<TestModels> {
  const cleanup = new AsyncDisposableStack()
  const standIn = cleanup.use(await startModelStandIn(script ? { script } : {}))
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const baseURL = `${standIn.url}/v1`
  return {
    standIn,
    chat: (model = 'standin', fields = {}) =>
      new ChatOpenAI({
        ...{ model, apiKey: standIn.apiKey, maxRetries: 0, streamUsage: true },
        ...{ configuration: { baseURL }, useResponsesApi: false, ...fields },
      }),
    port: (model = 'standin') =>
      createOpenAiModel({
        ...{ egress, baseUrl: baseURL, apiKey: createSecret(standIn.apiKey), model },
      }),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}
