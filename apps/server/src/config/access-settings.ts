import { z } from 'zod'
import { onOff, secretList } from './field.ts'
import { isKeyEntry } from './key-entry.ts'

/** Who gets in. */
export const accessSettings = {
  api_keys: secretList(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,1024}$/)
      .refine(isKeyEntry),
    {
      expected: {
        en: 'keys of printable ASCII characters separated by commas, each bare or as tenant=acme;user=ada;role=user;act_as=true;key=…',
        zh: '以逗号分隔的 Key，只含可见 ASCII 字符；可直接写 Key，或写成 tenant=acme;user=ada;role=user;act_as=true;key=…',
      },
      group: 'access',
      about: {
        en: 'API keys, separated by commas, sent in X-API-Key; a bare one is of the administrator of the tenant default, else what is left out of the form is tenant default, user admin, role user (admin for the user admin), no acting for others; all after key= is the key',
        zh: 'API Key，逗号分隔，由请求头 X-API-Key 携带；只写 Key 时属于租户 default 的管理员，完整写法中省略的部分依次为租户 default、用户 admin、角色 user（未写用户时为 admin）、不代他人操作；key= 之后全部为 Key',
      },
      shownDefault: {
        en: 'none: a key is made at the first start',
        zh: '无：首次启动时自动生成一个',
      },
    },
  ),
  auth_disabled: onOff(false, {
    group: 'access',
    about: {
      en: 'Let everyone in as administrator; on a loopback address only',
      zh: '关闭认证，所有人都是管理员；仅限回环地址',
    },
  }),
  multi_tenant: onOff(false, {
    group: 'access',
    about: {
      en: 'Let platform administrators add tenants; without it there is one, "default"',
      zh: '允许平台管理员添加租户；关闭时只有一个租户 default',
    },
  }),
}
