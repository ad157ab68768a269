export type { LangChainMiddleware } from './contract.ts'
export { type FromMiddlewareOptions, fromLangChainMiddleware } from './from-langchain-middleware.ts'
