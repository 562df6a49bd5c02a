import improve from "@cursor/bdk/extensions/improve";

export default improve();
