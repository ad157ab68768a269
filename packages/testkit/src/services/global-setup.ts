import { brokerVariable, startBroker } from './broker.ts'

/**
 * For vitest's `globalSetup`: the workers of a run share one server of each kind, which ends with the run. A run inside
 * a run uses the outer one's servers.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[brokerVariable]) return undefined
  const broker = await startBroker()
  process.env[brokerVariable] = broker.url
  return async () => {
    delete process.env[brokerVariable]
    await broker[Symbol.asyncDispose]()
  }
}
