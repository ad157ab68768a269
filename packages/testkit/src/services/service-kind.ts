import { AppError } from '@dataagent/schema'
import { ensureBinary } from './binary.ts'

export type ServiceKind = 'mysql' | 'postgres' | 'redis'

interface ServiceFacts {
  binary: string
  debianPackage: string
  environment: string
}

const services: Record<ServiceKind, ServiceFacts> = {
  mysql: {
    binary: 'mariadbd',
    debianPackage: 'mariadb-server',
    environment: 'TEST_MYSQL_URL',
  },
  postgres: {
    binary: 'postgres',
    debianPackage: 'postgresql',
    environment: 'TEST_POSTGRES_URL',
  },
  redis: {
    binary: 'redis-server',
    debianPackage: 'redis-server',
    environment: 'TEST_REDIS_URL',
  },
}

/** The address the environment gives for a service, to be used instead of a private one. */
export function environmentUrl(kind: ServiceKind): string | undefined {
  return process.env[services[kind].environment] || undefined
}

/** The server's binary, installed where that is possible. */
export async function serviceBinary(kind: ServiceKind): Promise<string | undefined> {
  const { binary, debianPackage } = services[kind]
  return ensureBinary(binary, debianPackage)
}

/** As `serviceBinary`, but throws when there is none. */
export async function requireBinary(kind: ServiceKind): Promise<string> {
  const binary = await serviceBinary(kind)
  if (binary === undefined) throw new AppError('unavailable', missingMessage(kind))
  return binary
}

/** Why there is no such service, and what to do about it. */
export function missingMessage(kind: ServiceKind): string {
  const { binary, debianPackage, environment } = services[kind]
  return `no ${kind}: set ${environment}, or install ${binary} (Debian package ${debianPackage})`
}
