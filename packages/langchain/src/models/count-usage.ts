import { AsyncLocalStorage } from 'node:async_hooks'
import type { Runtime } from '@dataagent/core'
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import {
  getContextVariable,
  registerConfigureHook,
  setContextVariable,
} from '@langchain/core/context'
import type { LLMResult } from '@langchain/core/outputs'
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons'
import { readUsage } from './usage.ts'

type AddUsage = Runtime['addUsage']

/** Who is told what an answer cost; undefined where the engine asks, which counts by itself. */
const told = new AsyncLocalStorage<AddUsage | undefined>()

/** Hears of every chat model's answer, also where callbacks of a call are left out on purpose. */
class UsageCounter extends BaseCallbackHandler {
  readonly name = 'dataagent_usage'
  override awaitHandlers = true

  override handleLLMEnd({ generations }: LLMResult): void {
    const addUsage = told.getStore()
    if (addUsage === undefined) return
    for (const [generation] of generations) {
      const usage = generation && readUsage(generation)
      if (usage) addUsage(usage)
    }
  }
}

const contextVar = 'dataagent_usage'
const counter = new UsageCounter()

/** Counts what `work` asks of chat models by itself, of whichever provider. */
export function countingUsage<T>(addUsage: AddUsage, work: () => T): T {
  const context = AsyncLocalStorageProviderSingleton.getInstance()
  return told.run(addUsage, () => {
    if (getContextVariable(contextVar) === counter) return work()
    return context.run(context.getStore(), () => {
      registerConfigureHook({ contextVar })
      setContextVariable(contextVar, counter)
      return work()
    })
  })
}

/** What is asked within `work` is counted by who asks it. */
export function countedElsewhere<T>(work: () => T): T {
  return told.run(undefined, work)
}

/** The same for each step of a stream. */
export function stepsCountedElsewhere<T>(stream: AsyncIterable<T>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = stream[Symbol.asyncIterator]()
      return {
        next: () => countedElsewhere(() => iterator.next()),
        return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
      }
    },
  }
}
