export { createLogMasker } from './log-masker.ts'
export { createLogger, createRequestLogger, type Logger } from './logger.ts'
export { createLogOutput } from './output.ts'
export { currentRequestId, inRequest } from './request-scope.ts'
