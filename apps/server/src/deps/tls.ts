import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Server } from 'node:https'
import type { Clock } from '@dataagent/guard'
import { type Config, createStartError, type Text } from '../config/index.ts'
import type { Logger } from '../log/index.ts'

/** A certificate and its key, as PEM. */
export interface TlsFiles {
  cert: Buffer
  key: Buffer
}

type TlsConfig = Pick<Config, 'tls_cert' | 'tls_key'>

/** The certificate to serve with; none where none is set. Throws `config_invalid`. */
export function readTls({ tls_cert, tls_key }: TlsConfig): TlsFiles | undefined {
  if (tls_cert === undefined || tls_key === undefined) return undefined
  try {
    const files = { cert: readFileSync(tls_cert), key: readFileSync(tls_key) }
    const isPair = new X509Certificate(files.cert).checkPrivateKey(createPrivateKey(files.key))
    if (!isPair) throw new TypeError('the key is not that of the certificate')
    return files
  } catch (error) {
    throw createStartError(notUsable(tls_cert, tls_key, error), error)
  }
}

export interface WatchTlsOptions {
  server: Pick<Server, 'setSecureContext'>
  config: TlsConfig
  clock: Clock
  log: Logger
}

const lookEveryMs = 30_000

/**
 * Serves new connections with a renewed certificate soon after its files have changed. One that
 * cannot be used is logged, and the old one stays. Gives what ends it.
 */
export function watchTls({ server, config, clock, log }: WatchTlsOptions): () => void {
  const { tls_cert, tls_key } = config
  if (tls_cert === undefined || tls_key === undefined) return () => {}
  const stamp = () => [tls_cert, tls_key].map((path) => mtimeOf(path)).join()
  let seen = stamp()
  let cancel = clock.after(lookEveryMs, look)

  function look(): void {
    cancel = clock.after(lookEveryMs, look)
    const now = stamp()
    if (now === seen) return
    seen = now
    try {
      const files = readTls(config)
      if (files) server.setSecureContext(files)
      log.info('the certificate was renewed')
    } catch (error) {
      log.error({ error }, 'the renewed certificate cannot be used; the old one stays')
    }
  }

  return () => cancel()
}

/** Where it cannot be looked at, why: that counts as a change, of which reading it tells more. */
function mtimeOf(path: string): number | string {
  try {
    return statSync(path).mtimeMs
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

function notUsable(cert: string, key: string, error: unknown): Text {
  const reason = error instanceof Error ? error.message : String(error)
  return {
    en: `The certificate ${cert} and key ${key} cannot be used: ${reason}. Mend tls_cert and tls_key, or unset both.`,
    zh: `无法使用证书 ${cert} 和私钥 ${key}：${reason}。请修正 tls_cert 与 tls_key，或都不设置。`,
  }
}
