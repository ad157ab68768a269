import manifest from '../../package.json' with { type: 'json' }
import type { Implementation } from './contract.ts'

/** What a server is told where the host does not say who it is. */
export const defaultClientInfo: Implementation = {
  name: manifest.name,
  version: manifest.version,
}
