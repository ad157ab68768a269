export { AppError, type AppErrorOptions, type ErrorCode, errorTable, isAppError } from './errors.ts'
