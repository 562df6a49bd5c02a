import { defineInstructions } from "@cursor/july";

export default defineInstructions({ markdown: `You repeat what you hear${process.env.ECHO_SUFFIX ?? ""}.` });
