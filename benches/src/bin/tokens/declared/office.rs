//! Tools of an office and a shop.

super::declare! {
    /// Search the orders of a customer, newest first.
    search_orders SearchOrders "orders-search_orders" {
        /// The customer's number, as printed on the invoice.
        customer: String,
        /// How many orders to return.
        #[schemars(range(min = 1, max = 100))]
        limit: u32 = 20,
        /// Only orders in this state.
        state: Option<OrderState>,
        /// Only orders of this period.
        period: Option<Period>,
    }

    /// Get one order with its items, its address and its history.
    get_order GetOrder "orders-get_order" {
        /// The order's number.
        order: u64,
    }

    /// Create an order. It is not sent before it is paid.
    create_order CreateOrder "orders-create_order" {
        /// The customer's number.
        customer: String,
        /// What is ordered.
        #[schemars(length(min = 1, max = 50))]
        items: Vec<Item>,
        /// Where it goes; the customer's own address where none is given.
        address: Option<Address>,
        /// A note for the people who pack it.
        note: Option<String>,
    }

    /// Cancel an order that has not been shipped, and give the money back.
    cancel_order CancelOrder "orders-cancel_order" {
        /// The order's number.
        order: u64,
        /// Why, for the customer to read.
        reason: String,
        /// Whether the customer gets a message.
        notify: bool = true,
    }

    /// Look up what is in stock.
    check_stock CheckStock "stock-check_stock" {
        /// The articles' numbers.
        articles: Vec<String>,
        /// Only in this warehouse.
        warehouse: Option<String>,
    }

    /// Find customers by name, e-mail address or telephone number.
    find_customer FindCustomer "customers-find_customer" {
        /// A part of the name, the address or the number.
        query: String,
        /// How many to return at most.
        #[schemars(range(min = 1, max = 50))]
        limit: u8 = 10,
    }

    /// Change a customer's address.
    change_address ChangeAddress "customers-change_address" {
        /// The customer's number.
        customer: String,
        /// The new address.
        address: Address,
    }

    /// Send an e-mail from the shared mailbox.
    send_email SendEmail "mail-send_email" {
        /// Who gets it.
        #[schemars(length(min = 1))]
        to: Vec<String>,
        /// Who gets a copy.
        cc: Option<Vec<String>>,
        /// The subject, in one line.
        subject: String,
        /// The text, as Markdown.
        body: String,
        /// The paths of files to attach.
        attachments: Option<Vec<String>>,
    }

    /// Search the mailbox.
    search_mail SearchMail "mail-search_mail" {
        /// Words that must all occur in subject, sender or text.
        query: String,
        /// Only mail of this folder.
        folder: Option<String>,
        /// Only mail that has not been read.
        unread: bool = false,
        /// How many to return.
        #[schemars(range(min = 1, max = 100))]
        limit: u32 = 25,
        /// In which order.
        sort: Option<Sort>,
    }

    /// Put a meeting into the calendar and invite people.
    create_event CreateEvent "calendar-create_event" {
        /// The title.
        title: String,
        /// When it begins, as RFC 3339.
        start: String,
        /// How long it takes, in minutes.
        #[schemars(range(min = 5, max = 1440))]
        minutes: u16 = 30,
        /// Who takes part.
        attendees: Option<Vec<Attendee>>,
        /// Where it is: a room or a link.
        location: Option<String>,
    }

    /// Find times at which all of these people are free.
    find_time FindTime "calendar-find_time" {
        /// Their e-mail addresses.
        people: Vec<String>,
        /// In which period.
        period: Period,
        /// How long it takes, in minutes.
        minutes: u16 = 30,
    }

    /// Open a ticket for the people who can help.
    create_ticket CreateTicket "tickets-create_ticket" {
        /// What is wrong, in one line.
        title: String,
        /// What happened, and what was expected instead.
        description: String,
        /// How urgent it is.
        priority: Option<Priority>,
        /// Words to find it by.
        labels: Option<Vec<String>>,
    }

    /// Add a comment to a ticket.
    comment_ticket CommentTicket "tickets-comment_ticket" {
        /// The ticket's number.
        ticket: u32,
        /// The comment, as Markdown.
        text: String,
        /// Whether only colleagues can read it.
        internal: bool = false,
    }

    /// Pay money back to the card that an order was paid with.
    refund_payment RefundPayment "payments-refund_payment" {
        /// The payment's id.
        payment: String,
        /// How much, in cents; all of it where absent.
        amount: Option<i64>,
        /// Why.
        reason: Option<String>,
    }

    /// Tell which currencies are taken and today's rates.
    list_currencies ListCurrencies "payments-list_currencies" {}
}
