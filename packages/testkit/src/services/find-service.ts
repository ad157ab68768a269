import { AppError } from '@dataagent/schema'
import { askBroker, brokerVariable } from './broker.ts'
import { missingMessage, type ServiceKind, serviceBinary } from './service-kind.ts'
import { createSharedServices } from './shared-services.ts'
import { callingTestFile, reportSkip } from './skip.ts'

/** Without a broker: this process's own, started when asked for. They end with the process. */
const ownServices = createSharedServices()

/**
 * The service shared by the whole test run: the one that TEST_MYSQL_URL, TEST_POSTGRES_URL or
 * TEST_REDIS_URL names, else a private one. Undefined, and said so loudly, where there can be none;
 * with CI set that throws.
 */
export async function findService(kind: ServiceKind): Promise<{ url: string } | undefined> {
  const testFile = callingTestFile()
  const url = await sharedUrl(kind)
  if (url !== undefined) return { url }
  reportSkip(testFile, missingMessage(kind))
  return undefined
}

/**
 * Whether a test may start a server of its own by `startMariadb` and the like; the environment's
 * URL does not help there. If not it says so loudly; with CI set that throws.
 */
export async function canStartService(kind: ServiceKind): Promise<boolean> {
  const testFile = callingTestFile()
  if ((await serviceBinary(kind)) !== undefined) return true
  reportSkip(testFile, `${missingMessage(kind)}; this test starts its own`)
  return false
}

/** As `findService` for those who cannot go on without. */
export async function requireService(kind: ServiceKind): Promise<string> {
  const url = await sharedUrl(kind)
  if (url === undefined) throw new AppError('unavailable', missingMessage(kind))
  return url
}

async function sharedUrl(kind: ServiceKind): Promise<string | undefined> {
  const broker = process.env[brokerVariable]
  return broker ? askBroker(broker, kind) : ownServices.url(kind)
}
