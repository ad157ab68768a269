import { createEgress, type Egress } from '@dataagent/guard'
import { createSecret } from '@dataagent/schema'
import { type ModelStandIn, startModelStandIn } from '@dataagent/testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import { createAnthropicModel } from './anthropic/anthropic-model.ts'
import type { ModelPort, ModelRequest, ModelTool } from './contract.ts'
import { createOpenAiModel } from './openai/openai-model.ts'
import type { ProviderOptions } from './provider-options.ts'

export type WireName = 'openai' | 'anthropic'

export interface WireScene {
  wire: WireName
  standIn(): ModelStandIn
  egress(): Egress
  /** A model at the stand-in, by the knobs in its name. */
  model(name: string, options?: Partial<ProviderOptions>): ModelPort
}

/** Runs a body on both wires, against the stand-in over HTTP. */
export function describeWires(title: string, body: (scene: WireScene) => void): void {
  describe.each<WireName>(['openai', 'anthropic'])(`${title} (%s)`, (wire) => {
    let standIn: ModelStandIn
    let egress: Egress
    beforeAll(async () => {
      standIn = await startModelStandIn()
      egress = createEgress({ policy: { mode: 'any' } })
    })
    afterAll(async () => {
      await egress.close()
      await standIn[Symbol.asyncDispose]()
    })
    body({
      wire,
      standIn: () => standIn,
      egress: () => egress,
      model: (model, options = {}) => {
        const { url, apiKey } = standIn
        const given = { egress, model, apiKey: createSecret(apiKey), ...options }
        if (wire === 'anthropic') return createAnthropicModel({ baseUrl: url, ...given })
        return createOpenAiModel({ baseUrl: `${url}/v1`, ...given })
      },
    })
  })
}

export const weather: ModelTool = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
}

/** A request of one message. */
export function ask(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: '', messages: [{ role: 'user', content }], tools: [], ...more }
}
