import { z } from 'zod'
import { accessSettings } from './access-settings.ts'
import { dataSettings } from './data-settings.ts'
import { gatewaySettings } from './gateway-settings.ts'
import { networkSettings } from './network-settings.ts'
import { processSettings } from './process-settings.ts'
import { signInSettings } from './sign-in-settings.ts'
import { storageSettings } from './storage-settings.ts'
import { turnSettings } from './turn-settings.ts'

/**
 * Every setting of the server: named, described and given its default in one place. The environment
 * variable is DATAAGENT_ and the name in capitals, unless the field names another; the flag is the
 * name with dashes, the key in the file is the name as it stands.
 */
export const configSchema = z.object({
  ...networkSettings,
  ...accessSettings,
  ...signInSettings,
  ...turnSettings,
  ...dataSettings,
  ...gatewaySettings,
  ...storageSettings,
  ...processSettings,
})

/** Settings as they were given, each value checked. */
export type Settings = z.infer<typeof configSchema>

export type FieldName = keyof Settings
