//! The expansions of the smallest, a usual and the largest tool, kept as files
//! so that a change of what users compile is seen in review.

use proc_macro2::TokenStream;
use quote::quote;

fn pretty(attributes: TokenStream, item: &TokenStream) -> String {
    let tokens = crate::function::expand(attributes, item);
    let file = syn::parse2(tokens).expect("an expansion is valid syntax");
    prettyplease::unparse(&file)
}

#[test]
fn the_smallest_tool() {
    let item = quote! {
        /// Answer that all is well.
        fn ping() {}
    };
    insta::assert_snapshot!(pretty(quote!(), &item));
}

#[test]
fn a_usual_tool() {
    let item = quote! {
        /// Get the forecast for a city.
        pub async fn get_forecast(
            /// The name of the city.
            city: String,
            /// How many days.
            days: Option<u32>,
        ) -> Result<String, ToolError> {
            Ok(city)
        }
    };
    insta::assert_snapshot!(pretty(
        quote!(name = "weather-get_forecast", timeout = 30),
        &item
    ));
}

#[test]
fn the_largest_tool() {
    let item = quote! {
        /// Search the orders of a customer.
        ///
        /// Newest first.
        #[doc = include_str!("search.md")]
        #[must_use]
        pub(crate) fn search_orders(
            /// The customer's number.
            #[serde(rename = "customer-number", with = "number")]
            #[schemars(with = "String", regex(pattern = "^[0-9]+$"), length(min = 1, max = 9))]
            customer: Number,
            /// How many orders to return.
            #[tool(default = 20, example = 5, example = 10)]
            #[schemars(range(min = 1, max = 100))]
            mut limit: u32,
            /// Only with these tags.
            #[schemars(inner(length(min = 1)))]
            tags: Vec<String>,
            #[tool(state)] db: &Db,
            #[tool(context)] call: &tool_core::Context,
        ) -> Json<Vec<Order>> {
            limit += 1;
            search(customer, limit, tags, db, call)
        }
    };
    let attributes = quote! {
        name = "orders-search_orders",
        title = "Search orders",
        timeout = 0.5,
        kind = "interrupt",
        approval_if = policy::is_large,
        sequential(key = "customer-number"),
        concurrency = 4,
        rate = "10/1m",
        max_output = 65_536,
        retries = 3,
        read_only,
        destructive = false,
        idempotent,
        open_world = false,
        strict = false,
        tags("shop", "sales"),
        meta(team = "sales", level = 3),
        crate = ::facade::tool_core
    };
    insta::assert_snapshot!(pretty(attributes, &item));
}

#[test]
fn a_tool_with_errors_keeps_its_function_and_handle() {
    let item = quote! {
        fn greet(/** Whom. */ name: String, #[tool(state)] other: String) -> String {
            name
        }
    };
    insta::assert_snapshot!(pretty(quote!(timeout = 0), &item));
}
