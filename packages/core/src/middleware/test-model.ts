import type { ModelDelta, ModelPort, ModelRequest } from '../models/index.ts'

/** A model that answers by a function and keeps what it was asked. */
export interface TestModel extends ModelPort {
  readonly requests: ModelRequest[]
}

/** A model for tests: `answer` gives the text, or throws in its place. */
export function createTestModel(
  answer: (request: ModelRequest) => string,
  contextWindow = 8000,
): TestModel {
  const requests: ModelRequest[] = []
  return {
    name: 'test:model',
    contextWindow,
    callsTools: true,
    requests,
    async *stream(request): AsyncGenerator<ModelDelta[]> {
      requests.push(request)
      yield [{ type: 'text', text: 'cut off' }, { type: 'restart' }]
      yield [{ type: 'text', text: answer(request) }]
      yield [
        { type: 'usage', usage: { prompt_tokens: 7, completion_tokens: 3 } },
        { type: 'finish', reason: 'stop' },
      ]
    },
  }
}
