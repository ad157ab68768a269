import { z } from 'zod'

/** Each reads only the clinic's own tables. */
export const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

export const userId = z.string().min(1).max(20).describe('用户编号，如 U0042')
export const customerId = z.string().min(1).max(20).describe('客户的用户编号，如 U0042')
export const yuan = z.int().describe('元')
export const day = z.string().describe('日期，如 2026-06-30')
export const count = z.int().min(0)

export const limit = (fallback: number) =>
  z.int().min(1).max(100).default(fallback).describe('最多返回多少条，1 到 100')

export const budget = z
  .int()
  .min(100)
  .max(10_000_000)
  .optional()
  .describe('预算（元）；不填则用客户档案中的预算')
