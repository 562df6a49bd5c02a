import { defineExtension } from "@cursor/bdk/extensions";
import { z } from "zod";
import { same } from "../lib/same.js";

const extension = defineExtension({
  root: import.meta.dirname,
  description: "Jobs.",
  config: z.object({ org: z.string(), lines: z.number().default(200) }),
});
export const bare = defineExtension({ root: import.meta.dirname });
bare();
same<typeof extension.config, { org: string; lines: number }>();
// @ts-expect-error the setting is missing
extension({});

export default extension({ org: "acme" });
