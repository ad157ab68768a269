export { type LangChainAgentConfig, withLangChain } from './with-langchain.ts'
