export type {
  BuildToolPrompt,
  Intent,
  IntentInput,
  IntentMatch,
  IntentRecogniser,
  IntentType,
  MatchedWord,
  ToolMode,
  ToolPrompt,
  ToolPromptInput,
  ToolServer,
} from './contract.ts'
export { createToolPromptBuilder } from './prompt/tool-prompt.ts'
export { createToolPromptTools, type PromptToolsView } from './prompt/tool-prompt-tools.ts'
export { unwrapToolCall } from './prompt/unwrap-tool-call.ts'
export { createIntentRecogniser } from './recogniser.ts'
