import { isAbsolute } from 'node:path'
import type { DatabaseAddress, EngineSource } from '@dataagent/data'
import { AppError, type DataSourceLocation, isAppError } from '@dataagent/schema'

/** How a source is reached, checked as far as that goes without reaching it. */
export async function toEngineSource(location: DataSourceLocation): Promise<EngineSource> {
  const source = toSource(location)
  const path = 'folder' in source ? source.folder : 'path' in source ? source.path : undefined
  if (path !== undefined && !isAbsolute(path))
    throw new AppError('invalid_request', 'The path must be absolute: it is one of the server.')
  await assertReadable(source)
  return source
}

function toSource(location: DataSourceLocation): EngineSource {
  if (location.kind === 'mysql') return { kind: 'mysql', ...toAddress(location) }
  if (location.kind === 'postgres') return { kind: 'postgres', ...toAddress(location) }
  return location
}

type OfDatabase = Extract<DataSourceLocation, { kind: 'mysql' | 'postgres' }>

function toAddress({ kind: _, url, ...fields }: OfDatabase): DatabaseAddress {
  const { host = '', user = '', database = '', ...rest } = fields
  return url ? { url } : { host, user, database, ...rest }
}

/** An address that cannot be read is the caller's fault, and is told without the address. */
async function assertReadable(source: EngineSource): Promise<void> {
  const { openEngine } = await import('@dataagent/data')
  try {
    await using _engine = openEngine(source)
  } catch (error) {
    if (!isAppError(error, 'config_invalid')) throw error
    throw new AppError('invalid_request', error.message)
  }
}
