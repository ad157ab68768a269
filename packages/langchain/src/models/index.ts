export { countedElsewhere, countingUsage } from './count-usage.ts'
export {
  fromLangChainModel,
  isLangChainPort,
  type LangChainModelOptions,
} from './from-langchain-model.ts'
export { toModelError } from './model-error.ts'
export { type PortCallOptions, toLangChainModel } from './to-langchain-model.ts'
export { fromToolChoice } from './tool-choice.ts'
export { fromUsageMetadata, toUsageMetadata } from './usage.ts'
