export { toCallResult } from './call-result.ts'
export { readCommand, splitAnswer } from './command.ts'
export {
  type FromToolOptions,
  fromLangChainTool,
  fromLangChainTools,
  type LangChainTool,
  type ToolScene,
  toFailure,
} from './from-langchain-tool.ts'
export { toPlan } from './plan.ts'
export { createReturnDirect } from './return-direct.ts'
export { type ToLangChainToolsOptions, toLangChainTools } from './to-langchain-tools.ts'
