import { z } from 'zod'
import { reportSales, salesGroups } from '../shop/sales.ts'
import { createMallTool, reads } from './tool.ts'

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

export const reportTools = [
  createMallTool({
    name: 'mall4j.report.sales',
    title: 'Sales report',
    description: 'Orders, units and revenue by day, category or region; cancelled orders left out.',
    input: z.strictObject({
      by: z.enum(salesGroups),
      from: day.optional().describe('First day, such as 2026-01-01'),
      to: day.optional().describe('Last day, such as 2026-01-31'),
    }),
    output: z.object({
      by: z.enum(salesGroups),
      rows: z.array(
        z.object({ group: z.string(), orders: z.int(), units: z.int(), revenue: z.number() }),
      ),
      revenue: z.number(),
      currency: z.string(),
    }),
    annotations: reads,
    run: reportSales,
  }),
]
