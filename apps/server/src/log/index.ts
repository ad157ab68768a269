export { createLogMasker } from './log-masker.ts'
export { bindSpan, createLogger, createRequestLogger, type Logger } from './logger.ts'
export { createLogOutput } from './output.ts'
export {
  currentRequestId,
  currentSpan,
  inRequest,
  inSpan,
  inTrace,
} from './request-scope.ts'
