export type { ModelFacts, ModelTable } from './model-table.ts'
export { createSessionState, withAutoApprove, withServersOff } from './session-state.ts'
export { createSettings, type Settings, type SettingsOptions } from './settings.ts'
export {
  type EnvironmentValues,
  type SettingsValues,
  settingsSchema,
} from './settings-schema.ts'
